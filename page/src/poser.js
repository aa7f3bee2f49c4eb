// A robot posed by hand: sliders for its coordinates, and its natural modes in motion.

import { Closing } from "./closing.js";
import { PLACE } from "./robot.js";

const SWING = 0.09; // of the robot's extent: how far a mode moves it

export class Poser {
  constructor(robot, vibration, arrays) {
    this.robot = robot;
    this.label = robot.spec.name;
    this.base = Float64Array.from(robot.spec.home);
    this.home = Float64Array.from(robot.spec.home);
    this.q = Float64Array.from(this.base);
    this.straight = new Float64Array(robot.nq);
    this.shown = new Float64Array(robot.nq);
    this.closing = robot.spec.loops.length ? new Closing(robot) : null;
    this.modes = vibration.modes.map(({ hertz, way }) => ({ hertz, way: arrays[way].values }));
    this.why = vibration.why;
    this.mode = null;
    this.swing = 1;
    this.frames = 1;
    this.open = false;
    this.handles = handles(robot);
    this.unbend();
  }

  // The same pose without shapes; its loops closed where they can be.
  unbend() {
    this.unbent = this.robot.unbent(this.base, new Float64Array(this.robot.nq));
    if (!this.closing || !this.robot.shapes.length) return;
    const found = this.closing.close(this.unbent);
    this.unbent = found.closed ? found.q : this.base;
  }

  configure(t) {
    this.q.set(this.base);
    if (this.mode) {
      const a = this.swing * this.mode.size * Math.sin(2 * Math.PI * t * this.mode.shown);
      for (let k = 0; k < this.q.length; k++) this.q[k] += a * this.mode.way[k];
      this.robot.normalized(this.q);
    }
    this.straight.set(this.unbent);
    this.shown.set(this.q); // shapes have sliders: nothing is magnified
  }

  // Shown at a speed that the eye can follow; by how much it is slowed, the panel says.
  choose(mode, extent) {
    this.mode = mode;
    if (!mode) return;
    mode.shown = Math.min(Math.max(mode.hertz, 0.25), 0.7);
    mode.size ??= this.amplitude(mode.way, extent);
  }

  amplitude(way, extent) {
    const at = this.robot.place(this.home, this.robot.state());
    const q = Float64Array.from(this.home, (x, k) => x + 1e-5 * way[k]);
    const moved = this.robot.place(this.robot.normalized(q), this.robot.state());
    let most = 0;
    for (let id = 0; id < this.robot.count; id++) {
      const o = PLACE * id + 9;
      most = Math.max(most, Math.hypot(moved[o] - at[o], moved[o + 1] - at[o + 1], moved[o + 2] - at[o + 2]));
    }
    return most > 0 ? (1e-5 * SWING * extent) / most : 0.1; // a twist moves no axis
  }

  set(handle, value) {
    handle.value = value;
    handle.put(this.base, value);
    if (this.closing) {
      const found = this.closing.close(this.base);
      this.open = !found.closed;
      if (found.closed) this.base.set(found.q);
    }
    this.unbend();
  }

  reset() {
    this.base.set(this.home);
    this.open = false;
    this.unbend();
    for (const handle of this.handles) handle.value = handle.get(this.base);
  }
}

// What a slider moves: a coordinate, or a turn of a quaternion about an axis.
function handles(robot) {
  const out = [];
  const held = robot.spec.loops.length ? new Set(robot.spec.held) : null;
  robot.links.forEach((link, i) => {
    if (!held || held.has(i)) out.push(...jointHandles(robot, link));
    const beam = robot.beams.find((b) => b.link === i);
    for (let k = link.d[0]; k < link.d[1]; k++) {
      const range = beam ? shapeRange(beam, k - link.d[0]) : nodeRange(robot, i, k - link.d[0]);
      out.push(plain(robot, robot.spec.names[k], k, range, "shape"));
    }
  });
  return out;
}

function jointHandles(robot, link) {
  const [a, b] = link.q;
  if (link.joint.nq < 4) {
    return Array.from({ length: b - a }, (_, k) => {
      const long = link.joint.axes[k] > 2;
      const most = long ? 0.6 * robot.size : Math.PI;
      const range = link.limits ?? [-most, most];
      const at = robot.spec.home[a + k];
      return plain(robot, robot.spec.names[a + k], a + k, [Math.min(range[0], at), Math.max(range[1], at)], long ? "slide" : "turn");
    });
  }
  const out = ["roll", "pitch", "yaw"].map((word, axis) => ({
    name: `${link.joint.name} ${word}`, kind: "turn", range: [-Math.PI, Math.PI], value: 0,
    get: () => 0,
    put(q) { rollPitchYaw(q, a, out.slice(0, 3).map((h) => h.value)); },
  }));
  for (let k = a + 4; k < b; k++) {
    out.push(plain(robot, robot.spec.names[k], k, [-2 * robot.size, 2 * robot.size], "slide"));
  }
  return out;
}

function plain(robot, name, k, range, kind) {
  return { name, kind, range, value: robot.spec.home[k], get: (q) => q[k], put: (q, v) => { q[k] = v; } };
}

// So far that the beam bends by a fifth of its length, or twists by half a right angle.
function shapeRange(beam, j) {
  let move = 0, turn = 0;
  for (let k = 0; k < beam.count; k++) {
    const at = 3 * (beam.m * k + j);
    move = Math.max(move, Math.hypot(beam.S[at], beam.S[at + 1], beam.S[at + 2]));
    turn = Math.max(turn, Math.hypot(beam.T[at], beam.T[at + 1], beam.T[at + 2]));
  }
  const most = Math.min(move > 0 ? (0.2 * beam.words.length) / move : Infinity, turn > 0 ? 0.8 / turn : Infinity);
  return [-most, most];
}

// Of a body without a line: so far that no node of it moves by more than a tenth of the robot.
function nodeRange(robot, i, j) {
  const moves = robot.nodes.filter(({ link, node }) => link === i && node.S)
    .map(({ node }) => Math.hypot(node.S[3 * j], node.S[3 * j + 1], node.S[3 * j + 2]));
  const most = (0.1 * robot.size) / Math.max(...moves, 1e-9);
  return [-most, most];
}

function rollPitchYaw(q, a, [roll, pitch, yaw]) {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  q[a] = cr * cp * cy + sr * sp * sy;
  q[a + 1] = sr * cp * cy - cr * sp * sy;
  q[a + 2] = cr * sp * cy + sr * cp * sy;
  q[a + 3] = cr * cp * sy - sr * sp * cy;
}
