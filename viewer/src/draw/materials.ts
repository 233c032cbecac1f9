// Shaders of bodies: exact balls on quads, meshes, their edges, and planes; all read places from the poses' textures.
import * as THREE from "three";
import { POSE_GLSL, type Poses } from "./poses";

// uniforms that all bodies share
export interface Shared {
    [name: string]: THREE.IUniform;
    uPose: THREE.IUniform<THREE.Texture | null>;
    uTint: THREE.IUniform<THREE.Texture | null>;
    uPick: THREE.IUniform<number>;
    uFlat: THREE.IUniform<number>;
    uSelected: THREE.IUniform<number>;
    uCut: THREE.IUniform<THREE.Vector4>;
    uPale: THREE.IUniform<number>;
    uGround: THREE.IUniform<THREE.Color>;
    uPixel: THREE.IUniform<number>;
    uMarks: THREE.IUniform<number>;
}

export function sharedUniforms(poses: Poses, flat: boolean): Shared {
    return {
        uPose: { value: poses.pose },
        uTint: { value: poses.tint },
        uPick: { value: 0 },
        uFlat: { value: flat ? 1 : 0 },
        uSelected: { value: -1 },
        uCut: { value: new THREE.Vector4() },
        uPale: { value: 0 },
        uGround: { value: new THREE.Color(1, 1, 1) },
        uPixel: { value: 1 },
        uMarks: { value: 1 },
    };
}

const FRAGMENT_HEAD = /* glsl */ `
precision highp float;
precision highp int;
uniform int uPick;
uniform int uFlat;
uniform float uSelected;
uniform float uPale;
uniform float uMarks;
uniform vec3 uGround;
uniform vec4 uCut;
uniform mat4 projectionMatrix;
out vec4 colour;
vec4 pickColour(float row) {
    int id = int(row + 1.5);
    return vec4(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255), 255.0) / 255.0;
}
vec3 lit(vec3 tint, vec3 n) {
    // n in view space: a key light from the upper left, sky and ground
    float key = max(dot(n, normalize(vec3(-0.45, 0.6, 0.66))), 0.0);
    float key2 = key * key, key4 = key2 * key2;
    float fill = 0.5 + 0.5 * dot(n, normalize(vec3(0.3, 0.9, 0.2)));
    return tint * (0.42 + 0.22 * fill + 0.42 * key) + 0.05 * key4 * key4 * key4;
}
// every other eighth between three planes is darker, so that turning about any axis is seen; u is the place from
// their common point, in radii
float marked(vec3 u) {
    vec3 soft = fwidth(u);
    vec3 side = clamp(u / max(soft, vec3(1e-6)), -1.0, 1.0);
    float dark = 0.5 + 0.5 * side.x * side.y * side.z;
    return 1.0 - 0.22 * uMarks * dark * smoothstep(0.9, 0.2, max(soft.x, max(soft.y, soft.z)));
}
vec3 finish(vec3 c, float row) {
    if (abs(row - uSelected) < 0.5) c = mix(c, vec3(0.86, 0.1, 0.42), 0.72);
    return mix(c, uGround, uPale);
}
`;

// Balls are written out in full: what they say about their depth must stand before all else.  The quad lies where the
// ball is nearest, so that whatever is hidden there need not be shaded.
export const BALL = {
    vertexShader: /* glsl */ `
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform bool isOrthographic;
in vec3 position;
in float aRow;
in vec4 aBall;
out float vRow;
out vec4 vTint;
out vec3 vView;
out vec3 vCentre;
out float vRadius;
out vec4 vTurn;
out vec2 vPlane;
out vec3 vWorld;
flat out mat3 vAxes;
uniform int uFlat;
${POSE_GLSL}
void main() {
    vec4 place;
    bodyPose(aRow, place, vTurn);
    vRow = aRow;
    vTint = bodyTint(aRow);
    vRadius = aBall.w * place.w;
    vec3 world = place.xyz + turned(vTurn, aBall.xyz);
    vCentre = (viewMatrix * vec4(world, 1.0)).xyz;
    vPlane = position.xy;
    vAxes = mat3(viewMatrix) *
        mat3(turned(vTurn, vec3(1.0, 0.0, 0.0)), turned(vTurn, vec3(0.0, 1.0, 0.0)), turned(vTurn, vec3(0.0, 0.0, 1.0)));
    vec3 x = vec3(1.0, 0.0, 0.0), y = vec3(0.0, 1.0, 0.0);
    float size = vRadius;
    if (!isOrthographic && uFlat == 0) {
        // a quad across the line of sight that covers the silhouette
        float d = length(vCentre);
        size = vRadius * d / sqrt(max(d * d - vRadius * vRadius, 1e-12 * d * d));
        x = normalize(cross(vCentre, vec3(0.0, 1.0, 1e-3)));
        y = normalize(cross(x, vCentre));
    }
    size *= 1.02;
    vView = vCentre + size * (position.x * x + position.y * y);
    vPlane *= 1.02;
    // the plane is seen from above, its axes along those of the picture
    vWorld = world + vView - vCentre;
    gl_Position = projectionMatrix * vec4(vView, 1.0);
    if (uFlat == 0) {
        float z = vCentre.z + vRadius;
        float depth = projectionMatrix[2][2] * z + projectionMatrix[3][2];
        float nearest = isOrthographic ? depth : z < 0.0 ? depth / -z : -1.0;
        gl_Position.z = max(nearest - 1e-6, -1.0) * gl_Position.w;
    }
    if (place.w == 0.0 || vTint.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`,
    fragmentShader: /* glsl */ `
#ifdef GL_EXT_conservative_depth
#extension GL_EXT_conservative_depth : enable
#endif
${FRAGMENT_HEAD}
#ifdef GL_EXT_conservative_depth
layout(depth_greater) out highp float gl_FragDepth;
#endif
uniform mat4 viewMatrix;
uniform bool isOrthographic;
in float vRow;
in vec4 vTint;
in vec3 vView;
in vec3 vCentre;
in float vRadius;
in vec4 vTurn;
in vec2 vPlane;
in vec3 vWorld;
flat in mat3 vAxes;
vec3 back(vec4 q, vec3 v) { return v + 2.0 * cross(-q.xyz, cross(-q.xyz, v) + q.w * v); }
void disc() {
    if (dot(uCut.xyz, uCut.xyz) > 0.0 && dot(uCut.xyz, vWorld) > uCut.w) discard;
    float r = length(vPlane), soft = fwidth(r);
    float alpha = 1.0 - smoothstep(1.0 - soft, 1.0, r);
    if (alpha <= 0.0) discard;
    if (uPick == 1) { colour = pickColour(vRow); return; }
    // border and tick fade as discs get small
    float clear = smoothstep(0.5, 0.1, soft);
    float wide = max(1.6 * soft, 0.03);
    float border = smoothstep(1.0 - wide - soft, 1.0 - wide, r);
    vec2 along = back(vTurn, vec3(vPlane, 0.0)).xy;
    float tick = (1.0 - smoothstep(0.5 * wide, 0.5 * wide + soft, abs(along.y))) * step(0.35, along.x);
    vec3 c = mix(vTint.rgb, vTint.rgb * 0.45, 0.75 * clear * max(border, uMarks * tick));
    colour = vec4(finish(c, vRow), alpha * vTint.a);
}
void main() {
    if (uFlat == 1) { disc(); return; }
    vec3 origin = isOrthographic ? vec3(vView.xy, 0.0) : vec3(0.0);
    vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vView);
    vec3 m = origin - vCentre;
    float b = dot(m, ray);
    vec3 foot = m - b * ray;
    float under = vRadius * vRadius - dot(foot, foot);
    float alpha = clamp(under / max(fwidth(under), 1e-20) + 0.5, 0.0, 1.0);
    if (alpha < 0.5) discard;
    float root = sqrt(max(under, 0.0));
    vec3 hit = origin + (-b - root) * ray;
    vec3 n = (hit - vCentre) / vRadius;
    bool cap = false;
    if (dot(uCut.xyz, uCut.xyz) > 0.0) {
        // what lies beyond the cut is taken away; the ball is closed with a flat face
        vec3 cutN = mat3(viewMatrix) * uCut.xyz;
        float cutD = uCut.w + dot(cutN, viewMatrix[3].xyz);
        if (dot(cutN, hit) > cutD) {
            float s = (cutD - dot(cutN, origin)) / dot(cutN, ray);
            hit = origin + s * ray;
            vec3 d = hit - vCentre;
            if (dot(d, d) > vRadius * vRadius || s < -b - root) discard;
            n = cutN;
            cap = true;
        }
    }
    // only the third row and the last of the projection matter
    float depth = projectionMatrix[2][2] * hit.z + projectionMatrix[3][2];
    gl_FragDepth = 0.5 * (isOrthographic ? depth : depth / -hit.z) + 0.5;
    if (uPick == 1) { colour = pickColour(vRow); return; }
    vec3 tint = vTint.rgb;
    if (cap) { colour = vec4(finish(tint * 0.78, vRow), 1.0); return; }
    tint *= marked(n * vAxes);
    float rim = 1.0 - 0.35 * smoothstep(0.45, 0.0, -dot(n, ray));
    colour = vec4(finish(lit(tint, n) * rim, vRow), 1.0);
}`,
};

const MESH_VERTEX = /* glsl */ `
in float aRow;
in vec3 aMark;
out float vRow;
out vec4 vTint;
out vec3 vNormal;
out vec3 vWorld;
out vec3 vMark;
uniform float uLift;
${POSE_GLSL}
void main() {
    vec4 place, turn;
    bodyPose(aRow, place, turn);
    vRow = aRow;
    vTint = bodyTint(aRow);
    vWorld = place.xyz + turned(turn, position);
    vNormal = mat3(viewMatrix) * turned(turn, normal);
    vMark = aMark;
    gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
    gl_Position.z -= uLift * gl_Position.w;
    if (place.w == 0.0 || vTint.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const MESH_HEAD = /* glsl */ `
${FRAGMENT_HEAD}
in float vRow;
in vec4 vTint;
in vec3 vNormal;
in vec3 vWorld;
uniform float uOpacity;
`;

const CUT_DISCARD = /* glsl */ `
    bool cut = dot(uCut.xyz, uCut.xyz) > 0.0;
    if (cut && dot(uCut.xyz, vWorld) > uCut.w) discard;
`;

export const MESH = {
    vertexShader: MESH_VERTEX,
    fragmentShader: /* glsl */ `
${MESH_HEAD}
uniform float uClosed;
in vec3 vMark;
void main() {
    ${CUT_DISCARD}
    float mark = marked(vMark);
    if (uPick == 1) { colour = pickColour(vRow); return; }
    vec3 n = normalize(vNormal);
    if (!gl_FrontFacing && uFlat == 0) {
        // the inside of a cut solid looks like the face of the cut
        if (cut && uClosed > 0.5) { colour = vec4(finish(vTint.rgb * 0.78, vRow), uOpacity); return; }
        n = -n;
    }
    vec3 c = uFlat == 1 ? vTint.rgb : lit(vTint.rgb * mark, n);
    colour = vec4(finish(c, vRow), uOpacity * vTint.a);
}`,
};

export const EDGE = {
    vertexShader: MESH_VERTEX,
    fragmentShader: /* glsl */ `
${MESH_HEAD}
void main() {
    ${CUT_DISCARD}
    if (uPick == 1) discard;
    colour = vec4(mix(vTint.rgb * 0.3, uGround, uPale), uOpacity);
}`,
};

// planes in space with a grid of round spacing, half-planes with hatching
export const PLANE = {
    vertexShader: /* glsl */ `
in float aRow;
in vec2 aGrid;
out vec2 vGrid;
out vec3 vWorld;
uniform float uLift;
${POSE_GLSL}
void main() {
    vec4 place, turn;
    bodyPose(aRow, place, turn);
    vGrid = aGrid;
    vWorld = place.xyz + turned(turn, position);
    gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
    gl_Position.z += uLift * gl_Position.w;
    if (place.w == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`,
    fragmentShader: /* glsl */ `
${FRAGMENT_HEAD}
in vec2 vGrid;
in vec3 vWorld;
uniform vec3 uLine;
uniform vec3 uFill;
uniform float uReach;
uniform float uPixel;
void main() {
    if (uPick == 1) discard;
    if (uFlat == 1) {
        float s = mod((gl_FragCoord.x + gl_FragCoord.y) / uPixel, 11.0);
        float hatch = 1.0 - smoothstep(0.5, 1.2, min(s, 11.0 - s));
        float edge = 1.0 - smoothstep(1.0, 2.0, vGrid.y / fwidth(vGrid.y));
        colour = vec4(mix(uFill, uLine, max(0.35 * hatch, edge)), 1.0);
        return;
    }
    vec2 wide = fwidth(vGrid);
    vec2 d = abs(fract(vGrid - 0.5) - 0.5) / max(wide, vec2(1e-6));
    float line = (1.0 - smoothstep(0.2, 1.1, min(d.x, d.y))) * smoothstep(0.6, 0.15, max(wide.x, wide.y));
    float fade = 1.0 - smoothstep(0.55, 1.0, length(vWorld) / uReach);
    colour = vec4(mix(uFill, uLine, 0.38 * line), fade * 0.9);
}`,
};

export function material(
    source: { vertexShader: string; fragmentShader: string },
    uniforms: Shared,
    more: Record<string, THREE.IUniform>,
    options: THREE.ShaderMaterialParameters,
): THREE.ShaderMaterial {
    const Kind = source === BALL ? THREE.RawShaderMaterial : THREE.ShaderMaterial;
    return new Kind({
        ...source,
        glslVersion: THREE.GLSL3,
        uniforms: { ...uniforms, ...more },
        ...options,
    });
}
