// Close the loops of a chain: joints that have no motor give way, least first (Levenberg).

import { PLACE } from "./robot.js";

const STEPS = 40;
const H = 1e-6;

export class Closing {
  constructor(robot) {
    this.robot = robot;
    const held = new Set(robot.spec.held);
    this.free = robot.links.flatMap((link, i) =>
      held.has(i) ? [] : Array.from({ length: link.q[1] - link.q[0] }, (_, k) => link.q[0] + k));
    this.state = robot.state();
  }

  // What is left open, lengths by the robot's size.
  residual(q) {
    const out = [];
    const s = this.robot.place(q, this.state, false);
    for (const loop of this.robot.spec.loops) {
      const [a, b] = loop.places.map((id) => PLACE * id);
      const R = (i, j) => s[a + i] * s[b + j] + s[a + 3 + i] * s[b + 3 + j] + s[a + 6 + i] * s[b + 6 + j];
      for (const row of loop.turns) out.push(row.reduce((sum, [w, i, j]) => sum + w * R(i, j), 0));
      for (const k of loop.slides) {
        let r = 0;
        for (let i = 0; i < 3; i++) r += s[a + 3 * i + k] * (s[b + 9 + i] - s[a + 9 + i]);
        out.push(r / this.robot.size);
      }
    }
    return out;
  }

  // q with its loops closed, and whether they are.
  close(q) {
    let x = Float64Array.from(q);
    let r = this.residual(x);
    let damping = 1e-3;
    for (let step = 0; step < STEPS && norm(r) > 1e-12; step++) {
      const J = this.jacobian(x, r);
      const dx = solve(J, r, damping);
      const next = Float64Array.from(x);
      this.free.forEach((k, i) => (next[k] -= dx[i]));
      this.robot.normalized(next);
      const after = this.residual(next);
      if (norm(after) < norm(r)) {
        x = next; r = after; damping = Math.max(damping / 10, 1e-10);
      } else damping = Math.max(damping * 10, 1e-6);
    }
    return { q: x, closed: norm(r) < 1e-7 };
  }

  jacobian(q, r) {
    const x = Float64Array.from(q);
    return this.free.map((k) => {
      x[k] = q[k] + H;
      const up = this.residual(x);
      x[k] = q[k] - H;
      const down = this.residual(x);
      x[k] = q[k];
      return up.map((v, i) => (v - down[i]) / (2 * H));
    });
  }
}

const norm = (r) => Math.sqrt(r.reduce((sum, x) => sum + x * x, 0));

// (J^T J + mu^2 1) dx = J^T r; J as columns.
function solve(J, r, mu) {
  const n = J.length;
  const A = J.map((a, i) => {
    const row = J.map((b) => a.reduce((s, v, k) => s + v * b[k], 0));
    row[i] += mu * mu;
    row.push(a.reduce((s, v, k) => s + v * r[k], 0));
    return row;
  });
  for (let i = 0; i < n; i++) {
    let best = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(A[k][i]) > Math.abs(A[best][i])) best = k;
    [A[i], A[best]] = [A[best], A[i]];
    for (let k = i + 1; k < n; k++) {
      const f = A[k][i] / A[i][i];
      for (let j = i; j <= n; j++) A[k][j] -= f * A[i][j];
    }
  }
  const x = new Array(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let s = A[i][n];
    for (let j = i + 1; j < n; j++) s -= A[i][j] * x[j];
    x[i] = s / A[i][i];
  }
  return x;
}
