/** The cone in WebGL: points, lines and one face, drawn only when something has changed. */

import { colour } from "./dom";
import { Look, type Camera, type Painter, type Scene } from "./scene";

const POINTS = `
attribute vec3 place; attribute float look;
uniform mat3 turn; uniform vec3 centre; uniform vec2 scale; uniform float dot, mark; uniform vec3 colours[4];
varying vec3 paint; varying float kind;
void main() {
  vec3 p = (place - centre) * turn;
  gl_Position = vec4(p.xy * scale, -p.z * .2, 1.);
  kind = look;
  gl_PointSize = look < .5 ? dot : look > 2.5 ? mark * 1.7 : mark;
  paint = look < .5 ? colours[0] : look < 1.5 ? colours[1] : look < 2.5 ? colours[2] : colours[3];
}`;
const DISC = `
precision mediump float; varying vec3 paint; varying float kind; uniform vec3 paper;
void main() {
  float r = length(gl_PointCoord - .5) * 2.;
  if (r > 1.) discard;
  float ring = kind > 1.5 ? smoothstep(.5, .62, r) : 1.;
  float alpha = (kind < .5 ? .55 : 1.) * smoothstep(1., .82, r);
  gl_FragColor = vec4(mix(paper, paint, ring), 1.) * alpha;
}`;
const LINES = `
attribute vec3 place; uniform mat3 turn; uniform vec3 centre; uniform vec2 scale;
void main() { vec3 p = (place - centre) * turn; gl_Position = vec4(p.xy * scale, -p.z * .2, 1.); }`;
const FLAT = `precision mediump float; uniform vec4 paint; void main() { gl_FragColor = paint; }`;

const STROKES = { rim: "--soft", axis: "--soft", shown: "--shown", open: "--open-bright", hot: "--hot", plain: "--line" } as const;

/** A painter, or null where the browser has no WebGL. */
export function webglPainter(): Painter | null {
  const element = document.createElement("canvas");
  const gl = element.getContext("webgl", { antialias: true, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const points = program(gl, POINTS, DISC);
  const lines = program(gl, LINES, FLAT);
  if (!points || !lines) return null;
  const [places, looks, others] = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
  let loaded: Scene | null = null;
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  const load = (scene: Scene): void => {
    const all = new Float32Array(scene.dots.length + scene.rays.length);
    all.set(scene.dots);
    all.set(scene.rays, scene.dots.length);
    gl.bindBuffer(gl.ARRAY_BUFFER, places);
    gl.bufferData(gl.ARRAY_BUFFER, all, gl.STATIC_DRAW);
    loaded = scene;
  };

  const loadLooks = (scene: Scene): void => {
    const all = new Float32Array((scene.dots.length + scene.rays.length) / 3);
    all.set(scene.looks, scene.dots.length / 3);
    gl.bindBuffer(gl.ARRAY_BUFFER, looks);
    gl.bufferData(gl.ARRAY_BUFFER, all, gl.DYNAMIC_DRAW);
  };

  const view = (used: WebGLProgram, camera: Camera): void => {
    gl.useProgram(used);
    const { turn, centre, zoom } = camera;
    // `p * turn` in the shader is the product with rows, so the rows go in as columns
    gl.uniformMatrix3fv(gl.getUniformLocation(used, "turn"), false, [...turn[0], ...turn[1], ...turn[2]]);
    gl.uniform3fv(gl.getUniformLocation(used, "centre"), centre);
    const size = Math.min(element.clientWidth, element.clientHeight) * 0.88 * zoom;
    gl.uniform2f(gl.getUniformLocation(used, "scale"), size / element.clientWidth, size / element.clientHeight);
  };

  const strip = (camera: Camera, corners: number[], paint: [number, number, number, number], mode: number): void => {
    view(lines, camera);
    gl.bindBuffer(gl.ARRAY_BUFFER, others);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STREAM_DRAW);
    const at = gl.getAttribLocation(lines, "place");
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
    const [r, g, b, a] = paint;
    gl.uniform4f(gl.getUniformLocation(lines, "paint"), r * a, g * a, b * a, a);
    gl.drawArrays(mode, 0, corners.length / 3);
  };

  return {
    element,
    paint(scene, camera, changed) {
      const ratio = Math.min(2, window.devicePixelRatio || 1);
      const [width, height] = [Math.round(element.clientWidth * ratio), Math.round(element.clientHeight * ratio)];
      if (element.width !== width || element.height !== height) [element.width, element.height] = [width, height];
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      if (scene !== loaded) load(scene);
      if (scene !== loaded || changed) loadLooks(scene);
      if (scene.face.length > 2) {
        strip(camera, scene.face.flat(), [...colour("--fill"), 0.12], gl.TRIANGLE_FAN);
        const sides = [[0, 0, 0], ...scene.face, scene.face[0]].flat();
        strip(camera, sides, [...colour("--fill"), 0.07], gl.TRIANGLE_FAN);
      }
      for (const look of ["plain", "axis", "rim", "open", "shown", "hot"] as const) {
        const ends = scene.lines.filter((line) => line.look === look).flatMap((line) => [...line.from, ...line.to]);
        if (ends.length) strip(camera, ends, [...colour(STROKES[look]), look === "axis" ? 0.6 : 0.85], gl.LINES);
      }
      view(points, camera);
      const paints = [colour("--dots"), colour("--shown"), colour("--open-bright"), colour("--hot")];
      gl.uniform3fv(gl.getUniformLocation(points, "colours"), paints.flat());
      gl.uniform3fv(gl.getUniformLocation(points, "paper"), colour("--card"));
      const rays = scene.rays.length / 3;
      gl.uniform1f(gl.getUniformLocation(points, "dot"), (scene.dots.length > 9000 ? 2.4 : 4) * ratio);
      gl.uniform1f(gl.getUniformLocation(points, "mark"), (rays > 3000 ? 5 : rays > 300 ? 8 : 13) * ratio);
      for (const [name, buffer, size] of [["place", places, 3], ["look", looks, 1]] as const) {
        const at = gl.getAttribLocation(points, name);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
      }
      gl.drawArrays(gl.POINTS, 0, scene.dots.length / 3);
      // open and pointed rays last, so that many shown ones do not hide them
      for (const look of [Look.shown, Look.open, Look.hot]) runs(scene.looks, look, (first, size) => gl.drawArrays(gl.POINTS, scene.dots.length / 3 + first, size));
      gl.disableVertexAttribArray(gl.getAttribLocation(points, "look"));
    },
  };
}

/** Calls with every stretch of rays of one look. */
function runs(looks: Uint8Array, look: Look, each: (first: number, size: number) => void): void {
  for (let i = 0; i < looks.length; i++) {
    if (looks[i] !== look) continue;
    const first = i;
    while (i < looks.length && looks[i] === look) i++;
    each(first, i - first);
  }
}

function program(gl: WebGLRenderingContext, vertex: string, fragment: string): WebGLProgram | null {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(kind);
    if (!shader) return null;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
}
