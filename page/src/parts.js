// Many solids of one form, each fixed to a place of the robot: one instanced mesh a form.

import {
  BoxGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh,
  Matrix4, Quaternion, SphereGeometry, TorusGeometry, Vector3,
} from "three";
import { PLACE } from "./robot.js";

const UP = new Vector3(0, 0, 1);
export const ARC = 4.2; // of a torque's arrow [rad]

const FORMS = {
  cylinder: (fine) => new CylinderGeometry(1, 1, 1, fine ? 28 : 12).rotateX(Math.PI / 2),
  sphere: (fine) => new SphereGeometry(1, fine ? 24 : 10, fine ? 16 : 8),
  box: () => new BoxGeometry(1, 1, 1),
  cone: (fine) => new ConeGeometry(1, 1, fine ? 22 : 10).rotateX(Math.PI / 2),
  arc: () => new TorusGeometry(1, 0.055, 8, 40, ARC),
};

export class Parts {
  constructor(material, fine = true) {
    this.material = material;
    this.fine = fine;
    this.lists = {};
    this.object = new Group();
  }

  // A solid with this matrix in the axes of a place; `matrix` may be changed before an update.
  add(form, place, matrix, colour) {
    const item = { place, matrix, colour: new Color(colour), world: new Matrix4() };
    (this.lists[form] ??= []).push(item);
    return item;
  }

  // A rod from a to b, points in the axes of a place.
  rod(place, a, b, radius, colour) {
    const length = a.distanceTo(b);
    if (length < 1e-9) return;
    this.add("cylinder", place, rodMatrix(a, b, radius), colour);
  }

  // A rod between two places, as they move.
  span(from, to, radius, colour) {
    const item = this.add("cylinder", -1, new Matrix4(), colour);
    Object.assign(item, { from, to, radius });
  }

  // After the last `add`.
  build() {
    for (const [form, list] of Object.entries(this.lists)) {
      const mesh = new InstancedMesh(FORMS[form](this.fine), this.material, list.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      list.forEach((item, i) => mesh.setColorAt(i, item.colour));
      mesh.userData.list = list;
      this.object.add(mesh);
    }
    return this;
  }

  update(state) {
    if (!this.object.visible) return;
    for (const mesh of this.object.children) {
      mesh.userData.list.forEach((item, i) => {
        if (item.from !== undefined) spanMatrix(state, item);
        if (item.place < 0) item.world.copy(item.matrix);
        else item.world.multiplyMatrices(placeMatrix(state, item.place, PLACED), item.matrix);
        mesh.setMatrixAt(i, item.world);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

const PLACED = new Matrix4();
const A = new Vector3(), B = new Vector3(), D = new Vector3(), Q = new Quaternion();

export function placeMatrix(s, id, out) {
  const o = PLACE * id;
  return out.set(
    s[o], s[o + 1], s[o + 2], s[o + 9],
    s[o + 3], s[o + 4], s[o + 5], s[o + 10],
    s[o + 6], s[o + 7], s[o + 8], s[o + 11],
    0, 0, 0, 1);
}

export function position(s, id, out) {
  const o = PLACE * id + 9;
  return out.set(s[o], s[o + 1], s[o + 2]);
}

export function rodMatrix(a, b, radius, out = new Matrix4()) {
  D.subVectors(b, a);
  const length = Math.max(D.length(), 1e-12);
  Q.setFromUnitVectors(UP, D.divideScalar(length));
  const middle = new Vector3().addVectors(a, b).multiplyScalar(0.5);
  return out.compose(middle, Q, new Vector3(radius, radius, length));
}

function spanMatrix(state, item) {
  position(state, item.from, A);
  position(state, item.to, B);
  rodMatrix(A, B, item.radius, item.matrix);
}
