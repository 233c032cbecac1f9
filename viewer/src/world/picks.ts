// Clicks and taps on the picture: the nearest shown contact, else the body under it.
import type { WorldPage } from "./page";

export function listenToPicks(page: WorldPage, canvas: HTMLCanvasElement): void {
    let down: [number, number] | null = null;
    canvas.addEventListener(
        "pointerdown",
        (event) => (down = event.isPrimary ? [event.offsetX, event.offsetY] : null),
    );
    canvas.addEventListener("pointerup", (event) => {
        if (!down || Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > 5) return;
        pickAt(page, event.offsetX, event.offsetY);
    });
}

export function pickAt(page: WorldPage, x: number, y: number): void {
    const { state, frame } = page;
    if (!frame) return;
    const shown = state.chains || state.states || state.normals;
    const contact = shown && frame.contacts ? page.contacts.near(frame, x, y, 9, page.originOf()) : -1;
    if (contact >= 0) {
        page.pick(-1, contact);
        return;
    }
    const row = page.view.pick(x, y, page.bodies.shared.uPick);
    page.pick(row >= 0 && row < page.world.bodies.count ? page.world.bodies.id[row]! : -1, -1);
    page.view.touch();
}
