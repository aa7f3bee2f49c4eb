// A robot's solids as the scene lists them (view/page/figure.py), its beams as tubes, its plates.

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
const LOAD = "#b9a24b";
const HIDDEN = new Set(["rotor", "payload", "hub", "helper"]);

function material(ghost) {
  return ghost
    ? new MeshStandardMaterial({
        vertexColors: true, transparent: true, opacity: 0.22, depthWrite: false, roughness: 0.9,
      })
    : new MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.08 });
}

export class Figure {
  // look: { ghost: the one colour of a ghost, tint: one colour for all links }
  constructor(robot, look) {
    this.robot = robot;
    this.look = look;
    this.object = new Group();
    const { unit, solids, plates } = robot.spec;
    const half = (beam, k) => (beam.half ? [beam.half[2 * k], beam.half[2 * k + 1]] : [unit, unit]);
    this.tubes = new Tubes(robot, half, material(look.ghost));
    const instanced = material(look.ghost);
    instanced.vertexColors = false; // instances have colours of their own
    this.parts = new Parts(instanced, robot.links.length <= 30);
    for (const solid of solids) this.solid(solid);
    this.parts.build();
    this.plates = plates.map((plate) => plateMesh(plate, this.paint(plate.paint), look.ghost));
    this.object.add(this.tubes.object, this.parts.object, ...this.plates.map((p) => p.mesh));
    this.paintLinks();
  }

  solid({ form, place, matrix, paint, other }) {
    const colour = this.paint(paint);
    if (other !== undefined) this.parts.span(place, other, matrix[0], colour);
    else this.parts.add(form, place, new Matrix4().set(...matrix, 0, 0, 0, 1), colour);
  }

  paint(paint) {
    if (this.look.ghost) return this.look.ghost;
    return paint >= 0 ? this.colour(paint) : paint === -1 ? STEEL : LOAD;
  }

  colour(i) {
    if (this.look.ghost) return this.look.ghost;
    if (this.look.tint) return new Color(this.look.tint).offsetHSL(0, 0, i % 2 ? 0.07 : -0.02);
    const before = this.robot.links.slice(0, i).filter((x) => x.mass > 0 && !HIDDEN.has(x.role));
    return new Color(PALETTE[before.length % PALETTE.length]);
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

function plateMesh({ place, corners, normal }, colour, ghost) {
  const n = corners.length / 3;
  const middle = [0, 1, 2].map((c) => corners.reduce((s, v, k) => (k % 3 === c ? s + v : s), 0) / n);
  const geometry = new BufferGeometry();
  const numbers = (values) => new BufferAttribute(new Float32Array(values), 3);
  geometry.setAttribute("position", numbers([...middle, ...corners]));
  geometry.setAttribute("normal", numbers(Array.from({ length: n + 1 }, () => normal).flat()));
  geometry.setIndex(Array.from({ length: n }, (_, k) => [0, 1 + k, 1 + ((k + 1) % n)]).flat());
  const look = new MeshStandardMaterial({
    color: colour, side: DoubleSide, roughness: 0.6, transparent: true, opacity: ghost ? 0.15 : 0.55,
    depthWrite: false,
  });
  const mesh = new Mesh(geometry, look);
  mesh.matrixAutoUpdate = false;
  mesh.frustumCulled = false;
  return { mesh, place };
}
