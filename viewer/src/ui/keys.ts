// The keyboard.
import type { Player } from "./player";
import type { Shell } from "./shell";

export interface Actions {
    fit(): void;
    look(which: number): void;
    projection(): void;
    chains(): void;
    letGo(): void;
}

export function listenToKeys(player: Player, shell: Shell, actions: Actions): void {
    const table: Record<string, (shift: boolean) => void> = {
        " ": () => player.toggle(),
        ArrowLeft: (shift) => player.step(shift ? -10 : -1),
        ArrowRight: (shift) => player.step(shift ? 10 : 1),
        Home: () => player.seek(0),
        End: () => player.seek(player.count - 1),
        f: () => actions.fit(),
        o: () => actions.projection(),
        c: () => actions.chains(),
        p: () => shell.toggle("plots"),
        s: () => shell.toggle("panel"),
        Escape: () => actions.letGo(),
        "?": () => shell.help(),
    };
    for (const k of [1, 2, 3, 4]) table[String(k)] = () => actions.look(k);
    document.addEventListener("keydown", (event) => {
        const target = event.target as HTMLElement;
        // fields and open dialogs keep their keys; the frame slider gives way to ours
        const field = target.matches("select, input:not([type=range]):not([type=checkbox]), textarea");
        if (field || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
            return;
        if (event.key === " " && target.matches("button, input, summary")) return;
        if (target.matches("input[type=range]") && !target.closest("#transport")) return;
        const action = table[event.key];
        if (!action) return;
        event.preventDefault();
        action(event.shiftKey);
    });
}
