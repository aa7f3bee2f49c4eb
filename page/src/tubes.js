// All beams of a robot as one mesh, its sections as they are placed and turned.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from "three";
import { PLACE } from "./robot.js";

const CORNERS = [ // of a rectangle: y, z, and the normal of the side
  [1, -1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [-1, 1, 0, 1],
  [-1, 1, -1, 0], [-1, -1, -1, 0], [-1, -1, 0, -1], [1, -1, 0, -1],
];

export class Tubes {
  // half(beam, k): [y, z] of section k; a beam without a known section is round.
  constructor(robot, half, material) {
    this.robot = robot;
    this.pieces = [];
    let vertices = 0;
    const index = [];
    for (const beam of robot.beams) {
      const square = ["rectangle", "box"].includes(beam.words.shape);
      const ring = square ? CORNERS : circle(robot.beams.length > 12 ? 12 : 24);
      const piece = { beam, ring, first: vertices, half: [] };
      for (let k = 0; k < beam.count; k++) piece.half.push(half(beam, k));
      sides(index, vertices, beam.count, ring.length, square);
      vertices += beam.count * ring.length;
      piece.caps = vertices;
      for (const end of [0, 1]) {
        for (let j = 1; j < ring.length - 1; j++) {
          const [a, b, c] = [vertices, vertices + j, vertices + j + 1];
          index.push(...(end ? [a, b, c] : [a, c, b]));
        }
        vertices += ring.length;
      }
      this.pieces.push(piece);
    }
    const attribute = () => {
      const a = new BufferAttribute(new Float32Array(3 * vertices), 3);
      return a.setUsage(DynamicDrawUsage);
    };
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute("position", attribute());
    this.geometry.setAttribute("normal", attribute());
    this.geometry.setAttribute("color", attribute());
    this.geometry.setIndex(index);
    this.object = new Mesh(this.geometry, material);
    this.object.frustumCulled = false;
    this.thickness = 1;
  }

  update(s) {
    const { position, normal } = this.geometry.attributes;
    for (const { beam, ring, first, half, caps } of this.pieces) {
      const n = ring.length;
      for (let k = 0; k < beam.count; k++) {
        const o = PLACE * (beam.first + k);
        const y = half[k][0] * this.thickness, z = half[k][1] * this.thickness;
        let at = 3 * (first + k * n);
        for (let j = 0; j < n; j++, at += 3) {
          const [cy, cz, ny, nz] = ring[j];
          for (let i = 0; i < 3; i++) {
            const ey = s[o + 3 * i + 1], ez = s[o + 3 * i + 2];
            position.array[at + i] = s[o + 9 + i] + y * cy * ey + z * cz * ez;
            normal.array[at + i] = ny * ey + nz * ez;
          }
        }
      }
      this.cap(s, beam, 0, first, caps, n, -1);
      this.cap(s, beam, beam.count - 1, first, caps + n, n, 1);
    }
    position.needsUpdate = normal.needsUpdate = true;
  }

  cap(s, beam, k, first, to, n, sign) {
    const { position, normal } = this.geometry.attributes;
    const o = PLACE * (beam.first + k);
    position.array.copyWithin(3 * to, 3 * (first + k * n), 3 * (first + (k + 1) * n));
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < 3; i++) normal.array[3 * (to + j) + i] = sign * s[o + 3 * i];
    }
  }

  // paint(beam, k, cy, cz, out): colour of a fibre of section k, half widths times cy, cz.
  paint(paint) {
    const colour = this.geometry.attributes.color;
    const rgb = [0, 0, 0];
    for (const { beam, ring, first, caps } of this.pieces) {
      const n = ring.length;
      let at = 3 * first;
      for (let k = 0; k < beam.count; k++) {
        for (let j = 0; j < n; j++, at += 3) {
          paint(beam, k, ring[j][0], ring[j][1], rgb);
          colour.array[at] = rgb[0]; colour.array[at + 1] = rgb[1]; colour.array[at + 2] = rgb[2];
        }
      }
      const last = first + (beam.count - 1) * n;
      colour.array.copyWithin(3 * caps, 3 * first, 3 * (first + n));
      colour.array.copyWithin(3 * (caps + n), 3 * last, 3 * (last + n));
    }
    colour.needsUpdate = true;
  }
}

function circle(n) {
  return Array.from({ length: n }, (_, j) => {
    const a = (2 * Math.PI * j) / n;
    return [Math.cos(a), Math.sin(a), Math.cos(a), Math.sin(a)];
  });
}

function sides(index, first, count, n, square) {
  for (let k = 0; k + 1 < count; k++) {
    for (let j = 0; j < n; j += square ? 2 : 1) {
      const a = first + k * n + j, b = first + k * n + ((j + 1) % n);
      index.push(a, b, a + n, b, b + n, a + n);
    }
  }
}
