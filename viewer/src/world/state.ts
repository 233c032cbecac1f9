// What the user chose for a world: colours, contacts, cut, what is picked.

export interface WorldState {
    colour: string;
    map: string;
    // the scale's upper end stays while frames change; 0: that of each frame
    fixedTop: number;
    chains: boolean;
    states: boolean;
    normals: boolean;
    walls: number;
    marks: boolean;
    cut: { on: boolean; axis: number; share: number; flip: boolean };
    body: number;
    contact: number;
    trails: boolean;
}

export function firstState(discs: boolean): WorldState {
    return {
        colour: discs ? "multipliers" : "speed",
        map: "dusk",
        fixedTop: 0,
        chains: discs,
        states: false,
        normals: false,
        walls: 1,
        marks: true,
        cut: { on: false, axis: 0, share: 0.5, flip: false },
        body: -1,
        contact: -1,
        trails: false,
    };
}
