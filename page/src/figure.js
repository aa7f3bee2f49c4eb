// A robot as solids: beams as tubes, rigid links as rods between what sits on them, joints by kind.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Matrix4, Mesh, MeshStandardMaterial,
  Vector3,
} from "three";
import { Parts, placeMatrix, position } from "./parts.js";
import { Tubes } from "./tubes.js";

export const PALETTE = [
  "#3d7fd9", "#e58a2e", "#2ea57c", "#9467d4", "#d9534f", "#2ba8c4", "#8aa334", "#d666a8",
];
const STEEL = "#5d6673";
const HIDDEN = new Set(["rotor", "payload", "hub"]);

export function material(ghost) {
  return ghost
    ? new MeshStandardMaterial({
        vertexColors: true, transparent: true, opacity: 0.22, depthWrite: false, roughness: 0.9,
      })
    : new MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.08 });
}

export class Figure {
  // look: { unit: thickness of rods, ghost, tint: one colour for all links }
  constructor(robot, look) {
    this.robot = robot;
    this.look = look;
    this.object = new Group();
    const many = robot.links.length > 30;
    this.tubes = new Tubes(robot, (beam, k) => this.half(beam, k), material(look.ghost));
    const instanced = material(look.ghost);
    instanced.vertexColors = false; // instances have colours of their own
    this.parts = new Parts(instanced, !many);
    this.plates = [];
    robot.links.forEach((link, i) => this.link(link, i));
    robot.spec.loops.forEach((loop) => this.cut(loop));
    this.parts.build();
    this.object.add(this.tubes.object, this.parts.object, ...this.plates.map((p) => p.mesh));
    this.paintLinks();
  }

  half(beam, k) {
    const unit = this.look.unit;
    return beam.half ? [beam.half[2 * k], beam.half[2 * k + 1]] : [unit, unit];
  }

  colour(i) {
    if (this.look.ghost) return this.look.ghost;
    if (this.look.tint) {
      const c = new Color(this.look.tint);
      return c.offsetHSL(0, 0, i % 2 ? 0.07 : -0.02);
    }
    const shown = this.robot.links.slice(0, i + 1).filter((x) => x.mass > 0 && !HIDDEN.has(x.role));
    return new Color(PALETTE[Math.max(0, shown.length - 1) % PALETTE.length]);
  }

  get steel() {
    return this.look.ghost || this.look.joints || STEEL;
  }

  link(link, i) {
    if (HIDDEN.has(link.role)) return;
    const unit = this.look.unit;
    const colour = this.colour(i);
    const origin = new Vector3();
    if (link.beam) {
      const beam = this.robot.beams.find((b) => b.link === i);
      const start = new Vector3(beam.r[0], beam.r[1], beam.r[2]);
      this.parts.rod(i, origin, start, 0.7 * unit, colour);
      for (const node of link.on) {
        if (!node.rho) continue; // off the axis: a rod back to the node
        const r = new Vector3(...node.rho);
        const back = new Vector3(
          -(node.R[0] * r.x + node.R[3] * r.y + node.R[6] * r.z),
          -(node.R[1] * r.x + node.R[4] * r.y + node.R[7] * r.z),
          -(node.R[2] * r.x + node.R[5] * r.y + node.R[8] * r.z));
        this.parts.rod(node.id, back, origin, 0.6 * unit, colour);
      }
    } else this.rigid(link, i, colour, unit);
    for (const load of link.payloads) this.load(load.at.id, load.mass, unit);
    this.joint(link, i, unit);
  }

  rigid(link, i, colour, unit) {
    const origin = new Vector3();
    const ends = link.on.map((node) => new Vector3(...node.r).add(new Vector3(...(node.rho ?? [0, 0, 0]))));
    const apart = ends.filter((p, k) => p.length() > 1e-6 * this.robot.size
      && !ends.slice(0, k).some((o) => o.distanceTo(p) < 1e-6 * this.robot.size));
    const floats = link.joint.kind === "floating";
    if (floats && link.block.sides[0] > 0) this.block(link, i, colour);
    if (apart.length >= 3 && this.plate(i, apart, colour, unit)) return;
    for (const p of apart) {
      this.parts.rod(i, origin, p, 0.85 * unit, colour);
      this.parts.ball(i, p, 0.85 * unit, colour);
    }
    if (apart.length && !floats) this.parts.ball(i, origin, 0.85 * unit, colour);
    if (!apart.length && link.mass > 0 && !floats) this.tool(link, i, colour, unit);
  }

  // A link that carries nothing: a rod to where its mass is, or a ball.
  tool(link, i, colour, unit) {
    const com = new Vector3(...link.com);
    if (com.length() > 1.2 * unit) this.parts.rod(i, new Vector3(), com, 0.6 * unit, colour);
    this.parts.ball(i, com, 1.1 * unit, colour);
  }

  // The block with the mass and inertia of the link.
  block(link, i, colour) {
    const [a, b, c] = link.block.sides;
    const R = link.block.axes;
    const m = new Matrix4().set(
      R[0] * a, R[1] * b, R[2] * c, link.com[0],
      R[3] * a, R[4] * b, R[5] * c, link.com[1],
      R[6] * a, R[7] * b, R[8] * c, link.com[2], 0, 0, 0, 1);
    this.parts.add("box", i, m, colour);
  }

  // Three points or more: a plate between them, with a rim.
  plate(i, points, colour, unit) {
    const middle = points.reduce((s, p) => s.add(p), new Vector3()).divideScalar(points.length);
    const normal = new Vector3();
    for (let k = 0; k < points.length; k++) {
      const a = points[k].clone().sub(middle), b = points[(k + 1) % points.length].clone().sub(middle);
      const n = a.cross(b);
      if (n.dot(normal) < 0) n.negate();
      normal.add(n);
    }
    const far = Math.max(...points.map((p) => p.distanceTo(middle)));
    if (normal.length() < 1e-3 * far * far) return false;
    normal.normalize();
    if (points.some((p) => Math.abs(p.clone().sub(middle).dot(normal)) > 0.2 * far)) return false;
    const e = points[0].clone().sub(middle).normalize();
    const f = normal.clone().cross(e);
    const angle = (p) => { const v = p.clone().sub(middle); return Math.atan2(v.dot(f), v.dot(e)); };
    const round = [...points].sort((a, b) => angle(a) - angle(b));
    round.forEach((p, k) => {
      this.parts.rod(i, p, round[(k + 1) % round.length], 0.6 * unit, colour);
      this.parts.ball(i, p, 0.6 * unit, colour);
    });
    this.plates.push(plateMesh(i, middle, round, normal, colour, this.look.ghost));
    return true;
  }

  load(id, mass, unit) {
    const total = this.robot.links.reduce((s, x) => s + x.mass, 0);
    const r = unit * (1.2 + 1.6 * Math.cbrt(mass / Math.max(total, 1e-12)));
    this.parts.ball(id, new Vector3(), r, this.look.ghost || "#b9a24b");
  }

  joint(link, i, unit) {
    const r = this.jointRadius(link, i);
    const { kind } = link.joint;
    const about = (place, radius, high) =>
      this.parts.add("cylinder", place, new Matrix4().makeScale(radius, radius, high), this.steel);
    if (link.parent < 0 && kind !== "floating") this.base(link, r);
    if (kind === "revolute") about(i, r, 2.3 * r);
    if (kind === "spherical") this.parts.ball(i, new Vector3(), 1.15 * r, this.steel);
    if (kind === "prismatic" || kind === "cylindrical") {
      const mount = link.places.mount;
      this.parts.add("box", mount, new Matrix4().makeScale(1.9 * r, 1.9 * r, 2.4 * r), this.steel);
      this.parts.span(mount, i, 0.5 * r, this.steel);
    }
  }

  // A joint is a little wider than the sections beside it.
  jointRadius(link, i) {
    const { unit } = this.look;
    const beside = this.robot.beams.filter((b) => b.link === i || b.link === link.parent);
    const wide = beside.filter((b) => b.half).map((b) => {
      const k = b.link === i ? 0 : b.count - 1;
      return 1.25 * Math.max(b.half[2 * k], b.half[2 * k + 1]);
    });
    const small = link.role === "helper" ? 0.9 : 1.3;
    return Math.min(Math.max(small * unit, ...wide), 3 * unit);
  }

  base(link, r) {
    const mount = link.places.mount;
    const foot = new Matrix4().makeScale(1.9 * r, 1.9 * r, 0.7 * r).setPosition(0, 0, -1.5 * r);
    this.parts.add("cylinder", mount, foot, this.steel);
  }

  cut(loop) {
    const r = 1.15 * this.look.unit;
    const id = loop.places[0];
    if (loop.joint.kind === "spherical" || loop.joint.kind === "universal") {
      this.parts.ball(id, new Vector3(), r, this.steel);
    } else if (loop.joint.kind !== "fixed") {
      this.parts.add("cylinder", id, new Matrix4().makeScale(r, r, 2.3 * r), this.steel);
    }
  }

  paintLinks() {
    const colours = this.robot.links.map((_, i) => new Color(this.colour(i)));
    this.tubes.paint((beam, k, cy, cz, out) => colours[beam.link].toArray(out));
  }

  update(state) {
    this.tubes.update(state);
    this.parts.update(state);
    for (const { mesh, place } of this.plates) placeMatrix(state, place, mesh.matrix);
  }

  // Box around all places of a state.
  static grow(box, state, count) {
    const p = new Vector3();
    for (let id = 0; id < count; id++) box.expandByPoint(position(state, id, p));
    return box;
  }
}

function plateMesh(place, middle, round, normal, colour, ghost) {
  const geometry = new BufferGeometry();
  const points = [middle, ...round];
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flatMap((p) => p.toArray())), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(points.flatMap(() => normal.toArray())), 3));
  geometry.setIndex(round.flatMap((_, k) => [0, 1 + k, 1 + ((k + 1) % round.length)]));
  const look = new MeshStandardMaterial({
    color: colour, side: DoubleSide, roughness: 0.6, transparent: true, opacity: ghost ? 0.15 : 0.55,
    depthWrite: false,
  });
  const mesh = new Mesh(geometry, look);
  mesh.matrixAutoUpdate = false;
  mesh.frustumCulled = false;
  return { mesh, place };
}
