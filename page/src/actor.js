// One robot on the stage: how it moves (playback or poser), its figure, its ghost, its arrows.

import { Box3, Color, Vector3 } from "three";
import { SCALES, ramp } from "./colours.js";
import { Figure } from "./figure.js";
import { CutForces, JointForces, Paths, Weights, frames, tools } from "./overlays.js";
import { position } from "./parts.js";

const BEND = new Float64Array(4);

export class Actor {
  constructor(playback, tint, thickness) {
    const { unit } = playback.robot.spec;
    this.playback = playback;
    this.robot = playback.robot;
    this.state = this.robot.state();
    this.still = this.robot.state();
    this.figure = new Figure(this.robot, { tint });
    this.ghost = new Figure(this.robot, { ghost: new Color("#8794a6") });
    this.ghost.object.visible = false;
    this.frames = frames(this.robot, unit);
    this.frames.object.visible = false;
    this.weights = new Weights(this.robot, unit);
    this.weights.object.visible = false;
    this.setThickness(thickness);
    this.objects = [this.figure.object, this.ghost.object, this.frames.object, this.weights.object];
    if (playback.tau) {
      this.paths = new Paths(playback, (i) => this.figure.colour(i));
      this.forces = new JointForces(this.robot, unit);
      this.forces.scale([playback]);
      this.forces.object.visible = false;
      this.objects.push(this.paths.object, this.forces.object);
      if (playback.cuts) {
        this.cuts = new CutForces(this.robot, unit);
        this.cuts.scale([playback]);
        this.cuts.object.visible = false;
        this.objects.push(this.cuts.object);
      }
    }
  }

  setThickness(factor) {
    this.figure.tubes.thickness = this.ghost.tubes.thickness = factor;
  }

  show(on) {
    this.visible = on;
    this.figure.object.visible = on;
    for (const object of this.shadows ?? []) object.visible = on;
  }

  update(t, settings) {
    const { playback, robot } = this;
    playback.configure(t, settings.magnification);
    robot.place(playback.shown, this.state);
    this.figure.update(this.state);
    if (settings.colour !== "links") this.paint(settings.colour, this.limit(settings));
    if (this.ghost.object.visible) {
      robot.place(playback.straight, this.still);
      this.ghost.update(this.still);
    }
    this.frames.update(this.state);
    this.weights.update(this.state);
    this.paths?.update(t, this.state);
    this.forces?.update(this.state, playback, t);
    this.cuts?.update(this.state, playback, t);
  }

  limit(settings) {
    return settings.limits?.[settings.colour] ?? 1;
  }

  // Curvature of a section, or stress of a fibre of it, of the true (not magnified) shape.
  paint(mode, limit) {
    const { robot, playback } = this;
    const { steps, two } = SCALES[mode];
    let last = -1, of = null;
    this.figure.tubes.paint((beam, k, cy, cz, out) => {
      if (beam !== of || k !== last) {
        robot.bend(beam, k, playback.q, BEND);
        [of, last] = [beam, k];
      }
      const value = mode === "curvature" ? Math.hypot(BEND[1], BEND[2]) : stress(beam, k, cy, cz);
      if (value === null) { out[0] = out[1] = out[2] = 0.25; return; }
      ramp(steps, two ? 0.5 + (0.5 * value) / (limit || 1) : value / (limit || 1), out);
    });
  }

  // Stress of one fibre of the present shape: cy, cz of its half widths from the axis.
  stress(beam, k, cy, cz) {
    this.robot.bend(this.robot.beams[beam], k, this.playback.q, BEND);
    return stress(this.robot.beams[beam], k, cy, cz);
  }

  // Largest of either over the present shape.
  largest() {
    const { robot, playback } = this;
    const out = { curvature: 0, stress: 0 };
    for (const beam of robot.beams) {
      for (let k = 0; k < beam.count; k++) {
        robot.bend(beam, k, playback.q, BEND);
        out.curvature = Math.max(out.curvature, Math.hypot(BEND[1], BEND[2]));
        if (!beam.half || beam.words.E === null) continue;
        const y = beam.half[2 * k], z = beam.half[2 * k + 1];
        const round = ["circle", "tube"].includes(beam.words.shape);
        const bend = round ? y * Math.hypot(BEND[1], BEND[2]) : Math.abs(BEND[2]) * y + Math.abs(BEND[1]) * z;
        out.stress = Math.max(out.stress, beam.words.E * (bend + Math.abs(BEND[3])));
      }
    }
    return out;
  }

  // How far the sections are from those of the robot that does not bend, and where most.
  deflection() {
    const { robot, playback } = this;
    robot.place(playback.q, this.state);
    robot.place(playback.straight, this.still);
    let most = { far: 0, ratio: 0, link: "" };
    const a = new Vector3(), b = new Vector3();
    for (const beam of robot.beams) {
      const id = beam.first + beam.count - 1;
      const far = position(this.state, id, a).distanceTo(position(this.still, id, b));
      const ratio = this.bending(beam) / beam.words.length;
      most = { far: Math.max(most.far, far), ratio: Math.max(most.ratio, ratio), link: far > most.far ? robot.links[beam.link].name : most.link };
    }
    return most;
  }

  // How far a beam's tip leaves its undeformed place in the link's own frame.
  bending(beam) {
    const d0 = this.robot.links[beam.link].d[0];
    const at = 3 * beam.m * (beam.count - 1);
    let x = 0, y = 0, z = 0;
    for (let j = 0; j < beam.m; j++) {
      const d = this.playback.q[d0 + j];
      x += beam.S[at + 3 * j] * d; y += beam.S[at + 3 * j + 1] * d; z += beam.S[at + 3 * j + 2] * d;
    }
    return Math.hypot(x, y, z);
  }

  bounds(box = new Box3()) {
    return Figure.grow(box, this.state, this.robot.count);
  }
}

// E (strain): u' - y kappa_z + z kappa_y at the fibre (y, z).
function stress(beam, k, cy, cz) {
  if (!beam.half || beam.words.E === null) return null;
  const y = cy * beam.half[2 * k], z = cz * beam.half[2 * k + 1];
  return beam.words.E * (BEND[3] - y * BEND[2] + z * BEND[1]);
}

export { tools };
