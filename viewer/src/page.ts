// What every kind of run offers to the rest of the page.
import type { Opened } from "./run/types";
import type { Actions } from "./ui/keys";

export interface Page extends Actions {
    // draws row k of the run
    show(k: number): Promise<void>;
    // the run has grown
    grown(opened: Opened): Promise<void>;
    snapshot(): HTMLCanvasElement;
    readonly times: ArrayLike<number>;
    readonly count: number;
    readonly sections: HTMLElement[];
}
