// 3 x 3 matrices, row after row, and vectors, inside longer arrays.

export const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

// out[o..] = A[a..] B[b..]
export function multiply(A, a, B, b, out, o) {
  for (let i = 0; i < 3; i++) {
    const x = A[a + 3 * i], y = A[a + 3 * i + 1], z = A[a + 3 * i + 2];
    for (let j = 0; j < 3; j++) {
      out[o + 3 * i + j] = x * B[b + j] + y * B[b + 3 + j] + z * B[b + 6 + j];
    }
  }
}

// out[o..] = p[c..] + A[a..] (x, y, z)
export function carry(A, a, p, c, x, y, z, out, o) {
  for (let i = 0; i < 3; i++) {
    out[o + i] = p[c + i] + A[a + 3 * i] * x + A[a + 3 * i + 1] * y + A[a + 3 * i + 2] * z;
  }
}

// exp(theta~) = 1 + c1 t~ + c2 t~^2
export function exponential(x, y, z, out, o) {
  const s = x * x + y * y + z * z;
  const c1 = s < 1e-8 ? 1 - s / 6 : Math.sin(Math.sqrt(s)) / Math.sqrt(s);
  const c2 = s < 1e-8 ? 0.5 - s / 24 : (1 - Math.cos(Math.sqrt(s))) / s;
  out[o] = 1 - c2 * (y * y + z * z);
  out[o + 1] = c2 * x * y - c1 * z;
  out[o + 2] = c2 * x * z + c1 * y;
  out[o + 3] = c2 * x * y + c1 * z;
  out[o + 4] = 1 - c2 * (x * x + z * z);
  out[o + 5] = c2 * y * z - c1 * x;
  out[o + 6] = c2 * x * z - c1 * y;
  out[o + 7] = c2 * y * z + c1 * x;
  out[o + 8] = 1 - c2 * (x * x + y * y);
}

// Rotation of the unit quaternion (w, x, y, z).
export function quaternion(q, a, out, o) {
  const w = q[a], x = q[a + 1], y = q[a + 2], z = q[a + 3];
  const n = 1 / (w * w + x * x + y * y + z * z);
  out[o] = 1 - 2 * n * (y * y + z * z);
  out[o + 1] = 2 * n * (x * y - w * z);
  out[o + 2] = 2 * n * (x * z + w * y);
  out[o + 3] = 2 * n * (x * y + w * z);
  out[o + 4] = 1 - 2 * n * (x * x + z * z);
  out[o + 5] = 2 * n * (y * z - w * x);
  out[o + 6] = 2 * n * (x * z - w * y);
  out[o + 7] = 2 * n * (y * z + w * x);
  out[o + 8] = 1 - 2 * n * (x * x + y * y);
}
