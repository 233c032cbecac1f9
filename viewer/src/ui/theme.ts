// Colours of the page as it is now, light or dark.
import type { Rgb } from "../measure/colours";

export function token(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function rgb(name: string): Rgb {
    const hex = /^#(..)(..)(..)$/.exec(token(name));
    return hex ? (hex.slice(1).map((part) => parseInt(part, 16)) as Rgb) : [128, 128, 128];
}

export function onTheme(action: () => void): void {
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", action);
}
