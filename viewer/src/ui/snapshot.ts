// The picture with its legend and time on a canvas of its own, for saving.
import { token } from "./theme";

export function snapshotOf(
    source: HTMLCanvasElement,
    text: string,
    legend: (pen: CanvasRenderingContext2D, height: number) => void,
    scale: number,
): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    // film encoders want even numbers
    [canvas.width, canvas.height] = [source.width - (source.width % 2), source.height - (source.height % 2)];
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = token("ground");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(source, 0, 0);
    pen.font = `${12.5 * scale}px system-ui, sans-serif`;
    pen.fillStyle = token("dim");
    pen.textAlign = "right";
    pen.fillText(text, canvas.width - 14 * scale, canvas.height - 14 * scale);
    pen.textAlign = "left";
    legend(pen, canvas.height);
    return canvas;
}
