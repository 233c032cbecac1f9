// What the user chose for a world: colours, contacts, cut, what is picked.

export interface WorldState {
    colour: string;
    map: string;
    // the scale stays while frames change; null: that of each frame
    fixed: { low: number; high: number } | null;
    chains: boolean;
    states: boolean;
    normals: boolean;
    walls: number;
    marks: boolean;
    cut: { on: boolean; axis: number; share: number; hide: boolean; flip: boolean };
    body: number;
    contact: number;
    trails: boolean;
}

export function firstState(discs: boolean, space: boolean): WorldState {
    return {
        colour: discs ? "multipliers" : "speed",
        map: "dusk",
        fixed: null,
        chains: discs,
        states: false,
        normals: false,
        walls: 1,
        marks: true,
        cut: { on: false, axis: 0, share: 0.5, hide: space, flip: false },
        body: -1,
        contact: -1,
        trails: false,
    };
}
