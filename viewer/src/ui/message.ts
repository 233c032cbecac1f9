// What the page says when there is nothing to show: waiting, a place to drop a file, or what is wrong with one.
import { h } from "./dom";

export function waiting(app: HTMLElement, text: string): void {
    app.replaceChildren(h("div", { id: "message", role: "status" }, h("p", {}, text)));
}

export function dropZone(
    app: HTMLElement,
    onFile: (file: File) => void,
    problem?: { title: string; text: string },
): void {
    const input = h("input", { type: "file", accept: ".h5,.hdf5", hidden: true });
    input.addEventListener("change", () => input.files?.[0] && onFile(input.files[0]));
    const pick = h("button", { type: "button", onclick: () => input.click() }, "Choose a file");
    const zone = h(
        "div",
        { id: "message" },
        problem &&
            h("div", { role: "alert" }, h("h2", { class: "bad" }, problem.title), h("p", {}, problem.text)),
        h(
            "div",
            { class: "drop" },
            h("h2", {}, "Drop a run file here"),
            h("p", {}, "RUN.h5, as moreau run writes it. It is read on this computer and goes nowhere else."),
            pick,
            input,
        ),
    );
    zone.addEventListener("dragover", (event) => {
        event.preventDefault();
        zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) onFile(file);
    });
    app.replaceChildren(zone);
}
