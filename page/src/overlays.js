// What is drawn beside the robot: paths of tools, frames, arrows of torques, weights and cuts.

import {
  BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, Matrix4,
  MeshStandardMaterial, Quaternion, Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { ARC, Parts, placeMatrix, position, rodMatrix } from "./parts.js";
import { PLACE } from "./robot.js";

const AXES = ["#d9534f", "#3f9b4f", "#3d6fd9"];
const TORQUE = "#c2379b";
const WEIGHT = "#4a9a3f";
const CUT = "#d9822b";

export function plain() {
  return new MeshStandardMaterial({ roughness: 0.7 });
}

// Ends of the robot: links that carry nothing, and loads.
export function tools(robot) {
  const carried = new Set(robot.links.filter((x) => ["link", "helper"].includes(x.role)).map((x) => x.parent));
  const inLoop = new Set(robot.spec.loops.flatMap((loop) => loop.links));
  const ends = robot.links.map((x, i) => i).filter((i) =>
    robot.links[i].role === "link" && !carried.has(i) && robot.links[i].mass > 0);
  const open = ends.filter((i) => !inLoop.has(i));
  const chosen = open.length ? open : ends;
  return chosen.slice(0, 12).map((i) => {
    const stations = robot.links[i].stations;
    return { link: i, id: stations.tip ?? stations.origin ?? i };
  });
}

// Where tools go: thin, the whole way; thick, what lies behind, up to where the tool is now.
export class Paths {
  constructor(playback, colourOf, samples = 400) {
    this.object = new Group();
    this.playback = playback;
    const { robot } = playback;
    this.state = robot.state();
    this.count = Math.min(samples, playback.frames);
    this.lines = tools(robot).map(({ link, id }) => {
      const color = new Color(colourOf(link));
      const look = { color, transparent: true, depthWrite: false };
      const whole = new Line(new BufferGeometry(), new LineBasicMaterial({ ...look, opacity: 0.45 }));
      const past = new Line2(new LineGeometry(), new LineMaterial({ ...look, opacity: 0.95, linewidth: 2.4 }));
      whole.frustumCulled = past.frustumCulled = false;
      this.object.add(whole, past);
      return { id, whole, past, points: [], cut: -1 };
    });
  }

  // Again, where magnification moves the tools elsewhere.
  trace(magnification) {
    const { playback } = this;
    for (const line of this.lines) line.points = [];
    for (let k = 0; k < this.count; k++) {
      const frame = Math.round((k * (playback.frames - 1)) / Math.max(this.count - 1, 1));
      playback.configure(playback.time[frame], magnification);
      playback.robot.place(playback.shown, this.state, false);
      for (const { id, points } of this.lines) points.push(...this.state.subarray(PLACE * id + 9, PLACE * id + 12));
    }
    for (const line of this.lines) {
      line.cut = -1;
      line.whole.visible = line.past.visible = line.points.length >= 6;
      if (line.points.length < 6) continue;
      line.whole.geometry.setAttribute("position", new BufferAttribute(new Float32Array(line.points), 3));
      line.past.geometry.dispose();
      line.past.geometry = new LineGeometry().setPositions(line.points);
    }
  }

  update(t, state) {
    if (!this.object.visible) return;
    const [a, , share] = this.playback.at(t);
    const gone = ((a + share) * (this.count - 1)) / Math.max(this.playback.frames - 1, 1);
    const last = Math.min(Math.floor(gone), this.count - 2);
    for (const line of this.lines) {
      if (line.points.length < 6) continue;
      const { data } = line.past.geometry.attributes.instanceStart;
      if (line.cut >= 0) data.array.set(line.points.slice(3 * line.cut + 3, 3 * line.cut + 6), 6 * line.cut + 3);
      data.array.set(state.subarray(PLACE * line.id + 9, PLACE * line.id + 12), 6 * last + 3);
      data.needsUpdate = true;
      line.cut = last;
      line.past.geometry.instanceCount = last + 1;
    }
  }

  resize(width, height) {
    for (const { past } of this.lines) past.material.resolution.set(width, height);
  }
}

// The axes of every link as its model names them.
export function frames(robot, unit) {
  const parts = new Parts(plain(), robot.links.length <= 30);
  const long = 7 * unit, o = new Vector3();
  robot.links.forEach((link, i) => {
    if (["rotor", "helper"].includes(link.role)) return;
    for (let k = 0; k < 3; k++) {
      const e = new Vector3(link.frame[k], link.frame[3 + k], link.frame[6 + k]);
      const tip = e.clone().multiplyScalar(long);
      parts.rod(i, o, tip, 0.14 * unit, AXES[k]);
      const q = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), e);
      const head = new Matrix4().compose(tip, q, new Vector3(0.36 * unit, 0.36 * unit, unit));
      parts.add("cone", i, head, AXES[k]);
    }
  });
  return parts.build();
}

// Torques of joints as arcs about their axes, forces of sliding ones as arrows.
export class JointForces {
  constructor(robot, unit) {
    this.robot = robot;
    this.unit = unit;
    this.parts = new Parts(plain());
    this.items = [];
    let rate = 0;
    robot.links.forEach((link, i) => {
      link.joint.axes.forEach((axis, k) => {
        this.items.push({ i, axis, row: rate + k, ...this.solids(axis) });
      });
      rate += link.joint.axes.length + (link.d[1] - link.d[0]);
    });
    this.parts.build();
    this.object = this.parts.object;
  }

  solids(axis) {
    const none = new Matrix4().makeScale(0, 0, 0);
    const form = axis < 3 ? "arc" : "cylinder";
    return {
      body: this.parts.add(form, -1, none.clone(), TORQUE),
      head: this.parts.add("cone", -1, none.clone(), TORQUE),
    };
  }

  // Largest of all rates of a kind: what a full arrow stands for.
  scale(playbacks) {
    this.most = [0, 0];
    for (const p of playbacks) {
      for (const { axis, row } of this.items) {
        const kind = axis < 3 ? 0 : 1;
        for (let k = 0; k < p.frames; k++) {
          this.most[kind] = Math.max(this.most[kind], Math.abs(p.tau[row * p.frames + k]));
        }
      }
    }
  }

  update(state, playback, t) {
    if (!this.object.visible) return;
    const M = new Matrix4(), turn = new Matrix4(), spot = new Vector3();
    for (const { i, axis, row, body, head } of this.items) {
      const value = playback.value(playback.tau, row, t);
      const share = Math.abs(value) / (this.most[axis < 3 ? 0 : 1] || 1);
      if (share < 1e-3) {
        body.matrix.makeScale(0, 0, 0); head.matrix.makeScale(0, 0, 0);
        continue;
      }
      placeMatrix(state, i, M);
      alongAxis(axis % 3, value < 0, turn);
      M.multiply(turn);
      if (axis < 3) {
        const r = this.unit * (2.6 + 3.4 * share);
        body.matrix.copy(M).scale(spot.set(r, r, r));
        const end = new Vector3(Math.cos(ARC), Math.sin(ARC), 0).multiplyScalar(r);
        const ahead = new Vector3(-Math.sin(ARC), Math.cos(ARC), 0);
        const q = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), ahead);
        const s = 0.17 * r;
        head.matrix.copy(M).multiply(new Matrix4().compose(end, q, new Vector3(s, s, 2.9 * s)));
      } else {
        const long = this.unit * (3 + 9 * share);
        body.matrix.copy(M).multiply(rodMatrix(new Vector3(), new Vector3(0, 0, long), 0.3 * this.unit));
        head.matrix.copy(M).multiply(new Matrix4().compose(new Vector3(0, 0, long), new Quaternion(),
          new Vector3(0.8 * this.unit, 0.8 * this.unit, 2 * this.unit)));
      }
    }
    this.parts.update(state);
  }
}

function alongAxis(axis, back, out) {
  if (axis === 2) out.identity();
  else if (axis === 0) out.makeRotationY(Math.PI / 2);
  else out.makeRotationX(-Math.PI / 2);
  return back ? out.multiply(new Matrix4().makeRotationX(Math.PI)) : out;
}

// Straight arrows: weights of links, forces at cuts.
export class Arrows {
  constructor(count, unit, colour) {
    this.unit = unit;
    this.parts = new Parts(plain());
    const none = () => new Matrix4().makeScale(0, 0, 0);
    this.items = Array.from({ length: count }, () => ({
      body: this.parts.add("cylinder", -1, none(), colour),
      head: this.parts.add("cone", -1, none(), colour),
    }));
    this.parts.build();
    this.object = this.parts.object;
  }

  // Arrow k from a point along a vector whose length is a share of the largest.
  set(k, from, vector) {
    const { body, head } = this.items[k];
    const share = vector.length();
    if (share < 1e-3) {
      body.matrix.makeScale(0, 0, 0); head.matrix.makeScale(0, 0, 0);
      return;
    }
    const way = vector.clone().divideScalar(share);
    const tip = from.clone().addScaledVector(way, this.unit * 12 * share);
    rodMatrix(from, tip, 0.28 * this.unit, body.matrix);
    const q = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), way);
    head.matrix.compose(tip, q, new Vector3(0.75 * this.unit, 0.75 * this.unit, 1.8 * this.unit));
  }

  done(state) {
    this.parts.update(state);
  }
}

export class Weights extends Arrows {
  constructor(robot, unit) {
    const heavy = robot.links.map((x, i) => i).filter((i) => robot.links[i].mass > 0);
    super(heavy.length, unit, WEIGHT);
    this.robot = robot;
    this.heavy = heavy;
    this.most = Math.max(...heavy.map((i) => robot.links[i].mass), 1e-12);
    const g = new Vector3(...robot.spec.gravity);
    this.down = g.length() > 0 ? g.normalize() : null;
  }

  update(state) {
    if (!this.object.visible || !this.down) return;
    const at = new Vector3();
    this.heavy.forEach((i, k) => {
      massCentre(this.robot, i, state, at);
      this.set(k, at, this.down.clone().multiplyScalar(this.robot.links[i].mass / this.most));
    });
    this.done(state);
  }
}

// Of a beam the place on its bent axis that is nearest to its mass centre.
function massCentre(robot, i, state, out) {
  const link = robot.links[i];
  const com = new Vector3(...link.com);
  const beam = robot.beams.find((b) => b.link === i);
  if (!beam) return out.copy(com).applyMatrix4(placeMatrix(state, i, new Matrix4()));
  let best = 0, near = Infinity;
  for (let k = 0; k < beam.count; k++) {
    const far = com.distanceTo(new Vector3(beam.r[3 * k], beam.r[3 * k + 1], beam.r[3 * k + 2]));
    if (far < near) [best, near] = [k, far];
  }
  return position(state, beam.first + best, out);
}

export class CutForces extends Arrows {
  constructor(robot, unit) {
    super(robot.spec.loops.length, unit, CUT);
    this.robot = robot;
    this.rows = [];
    let row = 0;
    for (const loop of robot.spec.loops) {
      this.rows.push({ loop, first: row + loop.turns.length });
      row += loop.turns.length + loop.slides.length;
    }
  }

  scale(playbacks) {
    this.most = 0;
    for (const p of playbacks) {
      for (let k = 0; k < p.frames; k++) {
        for (const { loop, first } of this.rows) {
          this.most = Math.max(this.most, Math.hypot(...loop.slides.map((_, n) => p.cuts[(first + n) * p.frames + k])));
        }
      }
    }
  }

  update(state, playback, t) {
    if (!this.object.visible) return;
    const at = new Vector3(), force = new Vector3();
    this.rows.forEach(({ loop, first }, k) => {
      const o = PLACE * loop.places[0];
      force.set(0, 0, 0);
      loop.slides.forEach((axis, n) => {
        const f = playback.value(playback.cuts, first + n, t) / (this.most || 1);
        force.x += state[o + axis] * f;
        force.y += state[o + 3 + axis] * f;
        force.z += state[o + 6 + axis] * f;
      });
      this.set(k, position(state, loop.places[0], at), force);
    });
    this.done(state);
  }
}
