// A run in time: the configuration at any instant, bent and unbent, magnified or not.

export class Playback {
  constructor(words, robot, arrays) {
    this.words = words;
    this.label = words.label;
    this.robot = robot;
    this.time = arrays[words.time].values;
    this.frames = this.time.length;
    this.data = arrays[words.q].values;
    this.rigid = words.rigid === null ? null : arrays[words.rigid].values;
    this.tau = arrays[words.tau].values;
    this.cuts = words.cuts === null ? null : arrays[words.cuts].values;
    this.q = new Float64Array(robot.nq);
    this.straight = new Float64Array(robot.nq);
    this.shown = new Float64Array(robot.nq);
  }

  get end() {
    return this.time[this.frames - 1];
  }

  // The frame before t, and how far t is on the way to the next one.
  at(t) {
    let low = 0, high = this.frames - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle;
    }
    const span = this.time[high] - this.time[low];
    const share = span > 0 ? Math.min(1, Math.max(0, (t - this.time[low]) / span)) : 0;
    return [low, high, share];
  }

  // Row k of a table (rows, frames) at t.
  value(table, k, t) {
    const [a, b, share] = this.at(t);
    const row = k * this.frames;
    return (1 - share) * table[row + a] + share * table[row + b];
  }

  // q, the unbent q, and what is shown: unbent + magnification (q - unbent).
  configure(t, magnification) {
    this.read(this.data, t, this.q);
    if (this.rigid) this.read(this.rigid, t, this.straight);
    else this.robot.unbent(this.q, this.straight);
    for (let k = 0; k < this.q.length; k++) {
      this.shown[k] = this.straight[k] + magnification * (this.q[k] - this.straight[k]);
    }
    if (magnification !== 1) this.robot.normalized(this.shown);
  }

  read(table, t, out) {
    const [a, b, share] = this.at(t);
    for (let k = 0; k < out.length; k++) {
      const row = k * this.frames;
      out[k] = share === 0 ? table[row + a] : (1 - share) * table[row + a] + share * table[row + b];
    }
    if (share !== 0) this.robot.normalized(out);
  }
}
