// Scales: quantiles, round numbers, ticks and how numbers are written.

const MOST_SORTED = 20000;

// value below which the share p of the finite values lies; of very many, told from an even sample
export function quantile(values: ArrayLike<number>, p: number): number {
    const stride = Math.max(1, Math.floor(values.length / MOST_SORTED));
    const sample = new Float64Array(Math.ceil(values.length / stride));
    let count = 0;
    for (let k = 0; k < values.length; k += stride)
        if (Number.isFinite(values[k])) sample[count++] = values[k]!;
    const finite = sample.subarray(0, count).sort();
    if (finite.length === 0) return NaN;
    return finite[Math.min(finite.length - 1, Math.floor(p * finite.length))]!;
}

// the next of 1, 2, 5 times a power of ten that is not below
export function roundUp(value: number): number {
    if (!(value > 0) || !Number.isFinite(value)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    const mantissa = value / power;
    const round = [1, 1.5, 2, 3, 5, 7.5, 10].find((r) => mantissa <= r * (1 + 1e-12)) ?? 10;
    return round * power;
}

// spacing of about `count` ticks over a span
export function tickStep(span: number, count: number): number {
    const rough = span / Math.max(count, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const mantissa = rough / power;
    return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}

export function ticks(from: number, to: number, count: number): number[] {
    if (!(to > from)) return [];
    const step = tickStep(to - from, count);
    const out: number[] = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) out.push(k * step + 0);
    return out;
}

// at most `digits` significant digits, powers of ten where they are shorter
export function number(value: number, digits = 4): string {
    if (value === 0) return "0";
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
    const size = Math.abs(value);
    const plain = size >= 1e-3 && size < 1e5;
    if (plain) return String(Number(value.toPrecision(digits))).replace("-", "−");
    const [mantissa, power] = value.toExponential(Math.max(0, digits - 2)).split("e");
    const short = String(Number(mantissa)).replace("-", "−");
    return `${short === "1" ? "" : short === "−1" ? "−" : short + "·"}10${superscript(power!)}`;
}

// values for a chart: what is no finite number leaves a gap and does not count for the scale
export function drawable(values: ArrayLike<number | null>): ArrayLike<number | null> {
    for (let k = 0; k < values.length; k++) {
        if (!Number.isFinite(values[k]))
            return Array.from(values, (v) => (v !== null && Number.isFinite(v) ? v : null));
    }
    return values;
}

// a count, with all its digits
export const whole = (value: number): string => (Number.isFinite(value) ? String(Math.round(value)) : "–");

function superscript(power: string): string {
    const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    return power
        .replace("+", "")
        .replace(/[-−]/, "⁻")
        .replace(/\d/g, (d) => digits[Number(d)]!);
}

export function bytes(size: number): string {
    const units = ["B", "kB", "MB", "GB"];
    let k = 0;
    while (size >= 1000 && k < 3) {
        size /= 1000;
        k++;
    }
    return `${size < 10 && k > 0 ? size.toFixed(1) : Math.round(size)} ${units[k]}`;
}
