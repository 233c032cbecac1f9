// Small helpers to make elements.

type Child = Node | string | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, unknown> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
        else if (name === "class") element.className = String(value);
        else if (typeof value === "boolean") element.toggleAttribute(name, value);
        else if (value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(
        ...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false),
    );
    return element;
}

export function button(
    label: string,
    title: string,
    action: () => void,
    more: Record<string, unknown> = {},
): HTMLButtonElement {
    return h("button", { type: "button", title, "aria-label": title, onclick: action, ...more }, label);
}

const ICONS: Record<string, string> = {
    play: "M4 2.5v11l9-5.5z",
    pause: "M4 3h3v10H4zM9 3h3v10H9z",
    first: "M3 3h2v10H3zM13 3v10L6 8z",
    last: "M11 3h2v10h-2zM3 3v10l7-5z",
    back: "M11 3v10L4 8z",
    on: "M5 3v10l7-5z",
    again: "M8 3a5 5 0 1 1-4.6 3h1.7A3.5 3.5 0 1 0 8 4.5V7L4.5 3.75 8 .5z",
};

export function icon(name: string): SVGSVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", ICONS[name]!);
    svg.append(path);
    return svg;
}

export function iconButton(
    name: string,
    title: string,
    action: () => void,
    more: Record<string, unknown> = {},
): HTMLButtonElement {
    const made = button("", title, action, more);
    made.append(icon(name));
    return made;
}

export function check(
    label: string,
    on: boolean,
    action: (on: boolean) => void,
    name: string,
): HTMLLabelElement {
    const box = h("input", { type: "checkbox", name, checked: on });
    box.addEventListener("change", () => action(box.checked));
    return h("label", { class: "check" }, box, h("span", {}, label));
}

export function select(
    label: string,
    name: string,
    options: [string, string][],
    value: string,
    action: (value: string) => void,
): HTMLLabelElement {
    const list = h(
        "select",
        { name },
        ...options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
    );
    list.addEventListener("change", () => action(list.value));
    return h("label", { class: "row" }, h("span", {}, label), list);
}

export function section(
    title: string,
    name: string,
    open: boolean,
    ...children: Child[]
): HTMLDetailsElement {
    return h(
        "details",
        { open, "data-section": name },
        h("summary", {}, title),
        h("div", { class: "fields" }, ...children),
    );
}

// rows of names and values
export function table(rows: [string, string][]): HTMLTableElement {
    return h(
        "table",
        { class: "numbers" },
        h(
            "tbody",
            {},
            ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))),
        ),
    );
}

export function download(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}
