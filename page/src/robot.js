// Where a robot's links, stations and sections are at a configuration q.
//
// As Supple has it (bodies/station.py, recursion/path.py): a node of a link with shapes d is at
//   r + S^T d + S2 d d,  turned by exp(theta~),  theta = T^T d + T2 d d,
// then the offset rho and the constant turn R follow, then the joint. A place is 12 numbers:
// its rotation matrix (9) and its position (3) in the world.

import { IDENTITY, carry, exponential, multiply, quaternion } from "./mat3.js";

export const PLACE = 12;
const STEP = 1e-4; // of linearised shapes: (f(h) - f(-h)) / 2h is exact to 1e-8 of the bending
const WORLD = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

export class Robot {
  constructor(spec, arrays) {
    this.spec = spec;
    this.links = spec.links;
    this.nq = spec.names.length;
    this.size = spec.size;
    const n = this.links.length;
    this.nodes = spec.nodes.map(([link, node], k) => ({ link, node, id: 2 * n + k }));
    this.links.forEach((link, i) => (link.places = { link: i, mount: n + i }));
    this.beams = spec.beams.map((words) => ({ link: words.link, first: words.first, words, ...tables(words, arrays) }));
    this.count = this.beams.reduce((sum, beam) => sum + beam.count, 2 * n + this.nodes.length);
    this.shapes = this.links.flatMap(({ d }) => range(d[0], d[1]));
    this.turn = new Float64Array(9);
    this.other = new Float64Array(9);
  }

  state() {
    return new Float64Array(PLACE * this.count);
  }

  // All places at q, into out; `sections`: with those along the beams.
  place(q, out, sections = true) {
    if (!this.spec.small || !this.shapes.length) return this.placeOnce(q, out, sections);
    const scaled = (factor) => {
      const x = Float64Array.from(q);
      for (const k of this.shapes) x[k] *= factor;
      return this.placeOnce(x, this.state(), sections);
    };
    const [at, up, down] = [0, STEP, -STEP].map(scaled);
    for (let i = 0; i < out.length; i++) out[i] = at[i] + (up[i] - down[i]) / (2 * STEP);
    return out;
  }

  placeOnce(q, out, sections) {
    const n = this.links.length;
    for (let i = 0; i < n; i++) {
      const link = this.links[i];
      const p = link.parent;
      const d = p < 0 ? [0, 0] : this.links[p].d;
      this.node(link.mount, q, d, p < 0 ? WORLD : out, p < 0 ? 0 : PLACE * p, out, PLACE * (n + i));
      this.joint(link, q, out, PLACE * (n + i), PLACE * i);
    }
    for (const { link, node, id } of this.nodes) {
      const still = link < 0;
      const d = still ? [0, 0] : this.links[link].d;
      this.node(node, q, d, still ? WORLD : out, still ? 0 : PLACE * link, out, PLACE * id);
    }
    if (sections) for (const beam of this.beams) this.sections(beam, q, out);
    return out;
  }

  node(node, q, d, from, f, out, o) {
    const m = d[1] - d[0];
    let x = node.r[0], y = node.r[1], z = node.r[2];
    let R = IDENTITY;
    if (m) {
      const move = quadratic(node.S, node.S2, 0, 0, q, d[0], m);
      const turn = quadratic(node.T, node.T2, 0, 0, q, d[0], m);
      x += move[0]; y += move[1]; z += move[2];
      exponential(turn[0], turn[1], turn[2], (R = this.turn), 0);
    }
    if (node.rho) {
      const [a, b, c] = node.rho;
      x += R[0] * a + R[1] * b + R[2] * c;
      y += R[3] * a + R[4] * b + R[5] * c;
      z += R[6] * a + R[7] * b + R[8] * c;
    }
    multiply(R, 0, node.R, 0, this.other, 0);
    carry(from, f, from, f + 9, x, y, z, out, o + 9);
    multiply(from, f, this.other, 0, out, o);
  }

  joint(link, q, out, from, to) {
    const a = link.q[0];
    let x = 0, y = 0, z = 0;
    const R = this.turn;
    R.set(IDENTITY);
    switch (link.joint.kind) {
      case "revolute": about(q[a], R); break;
      case "prismatic": z = q[a]; break;
      case "cylindrical": about(q[a], R); z = q[a + 1]; break;
      case "spherical": quaternion(q, a, R, 0); break;
      case "floating": quaternion(q, a, R, 0); x = q[a + 4]; y = q[a + 5]; z = q[a + 6]; break;
      case "fixed": break;
      default: throw new Error(`joint ${link.joint.kind} is not known to the page`);
    }
    carry(out, from, out, from + 9, x, y, z, out, to + 9);
    multiply(out, from, R, 0, out, to);
  }

  sections(beam, q, out) {
    const d0 = this.links[beam.link].d[0];
    const { m, pairs } = beam;
    const from = PLACE * beam.link;
    for (let k = 0; k < beam.count; k++) {
      const o = PLACE * (beam.first + k);
      let x = beam.r[3 * k], y = beam.r[3 * k + 1], z = beam.r[3 * k + 2];
      let R = beam.words.R;
      if (m) {
        const move = quadratic(beam.S, beam.S2, 3 * m * k, 3 * pairs * k, q, d0, m);
        x += move[0]; y += move[1]; z += move[2];
        const turn = quadratic(beam.T, beam.T2, 3 * m * k, 3 * pairs * k, q, d0, m);
        exponential(turn[0], turn[1], turn[2], this.turn, 0);
        multiply(this.turn, 0, beam.words.R, 0, (R = this.other), 0);
      }
      carry(out, from, out, from + 9, x, y, z, out, o + 9);
      multiply(out, from, R, 0, out, o);
    }
  }

  // Curvature (twist, about y, about z) and stretch of section k, in its own axes.
  bend(beam, k, q, out) {
    const d0 = this.links[beam.link].d[0];
    out[0] = out[1] = out[2] = out[3] = 0;
    for (let j = 0; j < beam.m; j++) {
      const d = q[d0 + j];
      for (let c = 0; c < 3; c++) out[c] += beam.curvature[3 * (beam.m * k + j) + c] * d;
      out[3] += beam.stretch[beam.m * k + j] * d;
    }
    return out;
  }

  // q of the robot that does not bend.
  unbent(q, out) {
    out.set(q);
    for (const k of this.shapes) out[k] = 0;
    return out;
  }

  // Quaternions made unit ones.
  normalized(q) {
    for (const link of this.links) {
      if (link.joint.nq < 4) continue;
      const a = link.q[0];
      const n = Math.hypot(q[a], q[a + 1], q[a + 2], q[a + 3]) || 1;
      for (let k = 0; k < 4; k++) q[a + k] /= n;
    }
    return q;
  }
}

const SUM = new Float64Array(3);
const SUM2 = new Float64Array(3);
let flip = false;

// A_k d_k + B_kl d_k d_l (k <= l): numbers of A from a on, of B from b on.
function quadratic(A, B, a, b, q, d0, m) {
  const out = (flip = !flip) ? SUM : SUM2;
  out[0] = out[1] = out[2] = 0;
  let at = b;
  for (let k = 0; k < m; k++) {
    const x = q[d0 + k];
    if (A) for (let c = 0; c < 3; c++) out[c] += A[a + 3 * k + c] * x;
    if (!B || !B.length) continue;
    for (let l = k; l < m; l++, at += 3) {
      const xy = x * q[d0 + l];
      out[0] += B[at] * xy;
      out[1] += B[at + 1] * xy;
      out[2] += B[at + 2] * xy;
    }
  }
  return out;
}

function about(angle, R) {
  R[0] = R[4] = Math.cos(angle);
  R[3] = Math.sin(angle);
  R[1] = -R[3];
}

function tables(words, arrays) {
  const get = (name) => arrays[words[name]].values;
  const [count, m] = arrays[words.S].shape;
  const second = arrays[words.S2].shape[1];
  return {
    count, m, pairs: second,
    x: get("x"), r: get("r"), S: get("S"), T: get("T"),
    S2: second ? get("S2") : null, T2: second ? get("T2") : null,
    curvature: get("curvature"), stretch: get("stretch"),
    half: words.half === null ? null : get("half"),
  };
}

export function range(a, b) {
  return Array.from({ length: b - a }, (_, k) => a + k);
}
