// The page: what is on the stage, what time it is, and what the user has chosen.

import { Box3, Matrix4, Vector3 } from "three";
import { Actor } from "./actor.js";
import { withUnit } from "./colours.js";
import { byId } from "./dom.js";
import { Playback } from "./playback.js";
import { Poser } from "./poser.js";
import { placeMatrix, position } from "./parts.js";
import { Robot } from "./robot.js";
import { Stage, THEMES } from "./stage.js";

const TINTS = ["#3d7fd9", "#e58a2e", "#2ea57c", "#9467d4"];
export const SPEEDS = [0.0001, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000];
const MAGNIFY = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10000];

export class App {
  constructor(data) {
    this.data = data;
    this.t = 0;
    this.playing = false;
    this.speed = 1;
    this.settings = { magnification: data.magnify, colour: "links", limits: { curvature: 0, stress: 0 } };
    this.robots = data.robots.map((spec) => new Robot(spec, data.arrays));
    this.stage = new Stage(byId("canvas"));
    this.posing = !data.runs.length;
    const playbacks = this.posing
      ? [new Poser(this.robots[0], data.vibration, data.arrays)]
      : data.runs.map((words, i) => new Playback(words, this.robots[i], data.arrays));
    this.measure(playbacks);
    this.actors = playbacks.map((p, i) =>
      new Actor(p, playbacks.length > 1 ? TINTS[i % TINTS.length] : null, this.thickness));
    for (const actor of this.actors) {
      this.stage.scene.add(...actor.objects);
      actor.shadows = this.stage.shade(actor.figure.object);
      actor.show(true);
    }
    this.survey();
    this.groups = this.posing ? [] : [...new Set(data.runs.flatMap((r) => r.groups.map((g) => g.name)))];
    this.end = this.posing ? 0 : Math.max(...playbacks.map((p) => p.end));
    this.speed = this.fittingSpeed();
    this.listeners = [];
    this.drawn = 0; // pictures so far
  }

  // So that a run takes some seconds to watch: real time where that is so.
  fittingSpeed() {
    if (this.end >= 2 && this.end <= 60) return 1;
    const near = (speed) => Math.abs(Math.log(this.end / speed / 8));
    return this.posing ? 1 : SPEEDS.reduce((a, b) => (near(b) < near(a) ? b : a));
  }

  // Where the robots ever are: how large rods are drawn, where the ground is, where to look.
  measure(playbacks) {
    const points = spots(playbacks, this.data.magnify);
    const box = new Box3().setFromPoints(points);
    this.extent = Math.max(...this.robots.map((r) => r.spec.extent));
    this.unit = Math.max(...this.robots.map((r) => r.spec.unit));
    const { extent } = this;
    this.thickness = Math.max(...this.robots.map(seenThickness));
    const g = new Vector3(...this.robots[0].spec.gravity);
    const up = g.length() > 0 ? axis(g.negate().normalize()) : new Vector3(0, 0, 1);
    const low = points.reduce((m, q) => Math.min(m, q.dot(up)), Infinity);
    const centre = box.getCenter(new Vector3());
    const radius = points.reduce((m, q) => Math.max(m, q.distanceTo(centre)), 0.3 * extent);
    const ground = low - 3.2 * this.unit;
    this.stage.frame(up, few(points), centre, radius, ground);
    this.flat = flatness(points, centre);
  }

  // Largest curvature, stress and deflection over the whole run.
  survey() {
    const { limits } = this.settings;
    this.most = { far: 0, ratio: 0, link: "" };
    for (const actor of this.actors) {
      const { playback } = actor;
      const times = playback.time ?? [0];
      const every = Math.max(1, Math.floor((times.length * actor.robot.beams.length) / 3000));
      for (let k = 0; k < times.length; k += every) {
        playback.configure(times[k], 1);
        const now = actor.largest();
        limits.curvature = Math.max(limits.curvature, now.curvature);
        limits.stress = Math.max(limits.stress, now.stress);
        const d = actor.deflection();
        this.most.ratio = Math.max(this.most.ratio, d.ratio);
        if (d.far > this.most.far) { this.most.far = d.far; this.most.link = d.link; }
      }
    }
    const sane = this.most.ratio > 0 ? 0.7 / this.most.ratio : 1;
    const open = this.openGhost = !this.posing && this.actors.some((a) => a.robot.spec.loops.length && a.robot.shapes.length && !a.playback.rigid);
    const factors = this.posing || open ? [] : MAGNIFY.filter((m) => m <= sane);
    this.magnifications = [...new Set([1, ...factors, this.data.magnify])].sort((a, b) => a - b);
    const stress = this.robots.some((r) => r.beams.some((b) => b.half && b.words.E !== null && b.m));
    const bends = this.robots.some((r) => r.beams.some((b) => b.m));
    this.colours = ["links", ...(bends ? ["curvature"] : []), ...(stress ? ["stress"] : [])];
  }

  on(listener) {
    this.listeners.push(listener);
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  // --- time
  goto(t) {
    this.t = Math.min(Math.max(t, 0), this.end);
    this.refresh();
  }

  step(frames) {
    this.pause();
    const { playback } = this.actors[0];
    const [a, b, share] = playback.at(this.t);
    const near = share > 0.999 ? b : a;
    const next = frames < 0 && share > 0.001 && share < 0.999 ? a : near + frames;
    this.goto(playback.time[Math.min(Math.max(next, 0), playback.frames - 1)]);
  }

  play() {
    if (this.posing) return;
    if (this.t >= this.end) this.t = 0;
    this.playing = true;
    this.last = null;
    this.tell();
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  // --- what is shown
  set(name, value) {
    this.settings[name] = value;
    if (name === "colour" && value === "links") for (const a of this.actors) a.figure.paintLinks();
    if (name === "magnification") {
      for (const a of this.actors) a.paths?.trace(value);
      this.stage.points = few(spots(this.actors.map((a) => a.playback), value));
    }
    this.refresh();
    this.tell();
  }

  visible(name, on) {
    this.settings[name] = on;
    for (const actor of this.actors) {
      const thing = { ghost: actor.ghost, paths: actor.paths, frames: actor.frames, forces: actor.forces, weights: actor.weights, cuts: actor.cuts }[name];
      if (thing) thing.object.visible = on && actor.visible;
    }
    this.refresh();
    this.tell();
  }

  showRun(i, on) {
    const actor = this.actors[i];
    actor.show(on);
    for (const name of ["ghost", "paths", "frames", "forces", "weights", "cuts"]) {
      if (actor[name]) actor[name].object.visible = on && Boolean(this.settings[name]);
    }
    this.refresh();
    this.tell();
  }

  setThickness(factor) {
    this.thickness = factor;
    for (const actor of this.actors) actor.setThickness(factor);
    this.refresh();
  }

  theme(name) {
    this.themeName = name;
    document.documentElement.dataset.theme = name;
    this.stage.theme(name);
    this.refresh();
    this.tell();
  }

  // --- drawing
  refresh() {
    for (const actor of this.actors) {
      if (!actor.visible) continue;
      if (this.posing) this.rescale(actor);
      actor.update(Math.min(this.t, actor.playback.end ?? this.t), this.settings);
    }
    this.stage.dirty = true;
    this.moved?.();
  }

  // A pose has no run to take the largest numbers from: its own are the scale.
  rescale(actor) {
    actor.playback.configure(this.t, this.settings.magnification);
    const now = actor.largest();
    const { limits } = this.settings;
    const keep = actor.playback.mode ? limits : { curvature: 0, stress: 0 };
    this.settings.limits = { curvature: Math.max(now.curvature, keep.curvature), stress: Math.max(now.stress, keep.stress) };
  }

  run() {
    const loop = (now) => {
      if (this.playing) {
        const gone = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
        this.last = now;
        this.t += gone * this.speed;
        if (this.t > this.end && !this.posing) {
          if (byId("loop").checked) this.t %= Math.max(this.end, 1e-9);
          else { this.t = this.end; this.pause(); }
        }
        this.refresh();
      }
      if (this.stage.draw(now)) this.drawn++;
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  startView() {
    const n = this.flat;
    const { up } = this.stage;
    if (!n || Math.abs(n.dot(up)) > 0.8) { this.stage.preset("iso"); return; }
    const { east, north } = this.stage.compass();
    if (n.dot(north) > 0 || (Math.abs(n.dot(north)) < 1e-6 && n.dot(east) < 0)) n.negate();
    this.stage.look(n.clone().addScaledVector(up, 0.28).addScaledVector(n.clone().cross(up), -0.42));
  }

  // Where a station is now, for tests and scripts: position and rotation.
  where(run, link, station) {
    const { robot, state } = this.actors[run];
    const found = robot.links.find((x) => x.name === link).stations[station];
    const o = 12 * found;
    return { p: [...state.slice(o + 9, o + 12)], R: [...state.slice(o, o + 9)] };
  }

  words() {
    const { units } = this.robots[0].spec;
    return withUnit(this.most.far, units === "SI" ? "m" : "");
  }
}

// Places of all robots at some instants, as they are shown.
function spots(playbacks, magnification) {
  const points = [], p = new Vector3();
  for (const playback of playbacks) {
    const { robot } = playback;
    const state = robot.state();
    const instants = playback.time ? Array.from({ length: 24 }, (_, k) => (playback.end * k) / 23) : [0];
    for (const t of instants) {
      playback.configure(t, magnification);
      robot.place(playback.shown, state);
      for (let id = 0; id < robot.count; id++) {
        if (robot.links[id]?.role !== "rotor") points.push(position(state, id, p).clone());
      }
      for (const solid of robot.spec.solids) if (solid.form === "box") points.push(...corners(solid, state));
    }
  }
  return points;
}

// Of a block.
function corners({ place, matrix }, state) {
  const M = placeMatrix(state, place, new Matrix4()).multiply(new Matrix4().set(...matrix, 0, 0, 0, 1));
  const half = [-0.5, 0.5];
  return half.flatMap((x) => half.flatMap((y) => half.map((z) => new Vector3(x, y, z).applyMatrix4(M))));
}

// No more than some thousands of them.
function few(points, most = 3000) {
  const every = Math.ceil(points.length / most);
  return points.filter((_, k) => k % every === 0);
}

// How many times thicker than true a robot's beams are drawn so that the thinnest is seen, by the
// robot's own size: a small robot beside a large one does not blow the large one up.
function seenThickness({ beams, spec: { extent } }) {
  const thin = Math.min(...beams.filter((b) => b.half).map((b) => Math.min(b.half[0], b.half[1])));
  return thin < 0.0028 * extent ? nice((0.0042 * extent) / thin) : 1;
}

function nice(x) {
  return [1, 1.5, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50].find((f) => f >= x) ?? 50;
}

// The axis of the world that is nearest, where it is very near.
function axis(v) {
  for (const k of [0, 1, 2]) {
    if (Math.abs(v.getComponent(k)) > 0.999) return new Vector3().setComponent(k, Math.sign(v.getComponent(k)));
  }
  return v;
}

// The normal of the plane in which all points lie, if they do.
function flatness(points, centre) {
  const size = points.reduce((m, p) => Math.max(m, p.distanceTo(centre)), 1e-12);
  for (const [k, e] of [[2, new Vector3(0, 0, 1)], [1, new Vector3(0, 1, 0)], [0, new Vector3(1, 0, 0)]]) {
    const low = points.reduce((m, p) => Math.min(m, p.getComponent(k)), Infinity);
    const high = points.reduce((m, p) => Math.max(m, p.getComponent(k)), -Infinity);
    if (high - low < 0.12 * size) return e;
  }
  return null;
}

export { THEMES };
