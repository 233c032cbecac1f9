// Colours: maps with even steps of lightness that read the same in grey and to colour-blind eyes, made in OKLCh
// (Ottosson 2020), and the palette of Okabe and Ito (2008) for groups.

export type Rgb = [number, number, number];

// sRGB (0 to 255) of lightness, chroma and hue (degrees); what lies outside the gamut is clipped
export function oklch(lightness: number, chroma: number, hue: number): Rgb {
    const a = chroma * Math.cos((hue * Math.PI) / 180);
    const b = chroma * Math.sin((hue * Math.PI) / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    return linear.map((c) => {
        const v = Math.min(1, Math.max(0, c));
        return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
    }) as Rgb;
}

const SIZE = 256;

function table(at: (s: number) => Rgb): Uint8Array {
    const out = new Uint8Array(3 * SIZE);
    for (let k = 0; k < SIZE; k++) out.set(at(k / (SIZE - 1)).map(Math.round), 3 * k);
    return out;
}

export const MAPS: Record<string, Uint8Array> = {
    // dark blue over green to yellow
    dusk: table((s) => oklch(0.4 + 0.52 * s, 0.115 + 0.045 * s, 280 - 178 * s)),
    // blue to yellow through grey: the same to people who see no red or no green
    straw: table((s) => oklch(0.38 + 0.55 * s, 0.02 + 0.105 * Math.abs(2 * s - 1), s < 0.5 ? 255 : 95)),
    grey: table((s) => oklch(0.4 + 0.52 * s, 0, 0)),
};

// row of a map's table for s in [0, 1]
export const mapRow = (s: number) => Math.round((SIZE - 1) * Math.min(1, Math.max(0, s)));

// colour of s in [0, 1]; what lies outside takes the end's, what is no number is grey
export function mapped(map: Uint8Array, s: number): Rgb {
    if (Number.isNaN(s)) return [150, 150, 150];
    const k = 3 * mapRow(s);
    return [map[k]!, map[k + 1]!, map[k + 2]!];
}

const GROUPS: Rgb[] = [
    [86, 180, 233],
    [230, 159, 0],
    [0, 158, 115],
    [240, 228, 66],
    [204, 121, 167],
    [213, 94, 0],
    [0, 114, 178],
    [153, 153, 153],
];

export function groupColour(group: number): Rgb {
    return GROUPS[group % GROUPS.length]!;
}

// stick blue, slide orange, open grey
export const STATUS: Rgb[] = [
    [150, 150, 150],
    [0, 114, 178],
    [230, 130, 0],
];
export const STATUS_NAMES = ["open", "stick", "slide"];

export const css = ([r, g, b]: Rgb, alpha = 1) =>
    `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}, ${alpha})`;
