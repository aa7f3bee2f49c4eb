// Curves over time with a cursor; a click or a drag goes to that instant.

import { digits, withUnit } from "./colours.js";
import { h } from "./dom.js";
import { niceStep } from "./stage.js";

const MOST = 10;
const FONT = "11px system-ui, sans-serif";
const INKS = ["#3d7fd9", "#e58a2e", "#2ea57c", "#9467d4", "#d9534f", "#2ba8c4", "#8aa334", "#d666a8", "#7f8894", "#a8763e"];

export class Plot {
  constructor(app, group) {
    this.app = app;
    this.hidden = new Set();
    this.canvas = h("canvas", { class: "curves", role: "img", tabIndex: 0 });
    this.cursor = h("canvas", { class: "cursor", "aria-hidden": "true" });
    this.names = h("div", { class: "names" });
    this.choice = h("select", { "aria-label": "What is plotted", onchange: () => this.show(this.choice.value) },
      app.groups.map((name) => h("option", { value: name, textContent: name })));
    this.area = h("div", { class: "area" }, this.canvas, this.cursor);
    this.element = h("figure", { class: "plot" }, h("figcaption", {}, this.choice, this.names), this.area);
    this.area.addEventListener("pointerdown", (event) => this.seek(event, true));
    this.area.addEventListener("pointermove", (event) => event.buttons & 1 && this.seek(event, false));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.area);
    this.choice.value = group;
    this.show(group);
  }

  show(name) {
    this.group = name;
    this.hidden.clear();
    this.curves = [];
    this.app.actors.forEach((actor, run) => {
      const words = actor.playback.words.groups.find((g) => g.name === name);
      if (!words) return;
      this.unit = words.unit;
      const table = this.app.data.arrays[words.data].values;
      words.names.forEach((label, k) => {
        const n = actor.playback.frames;
        this.curves.push({ label, run, values: table.subarray(k * n, (k + 1) * n), actor });
      });
    });
    this.rank();
    this.list();
    this.draw();
  }

  // Where there are too many: those that move most.
  rank() {
    const span = (c) => c.values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
    const labels = [...new Set(this.curves.map((c) => c.label))];
    const size = new Map(labels.map((l) => [l, Math.max(...this.curves.filter((c) => c.label === l).map(span))]));
    this.labels = labels.length > MOST
      ? labels.sort((a, b) => size.get(b) - size.get(a)).slice(0, MOST) : labels;
    this.left = labels.length - this.labels.length;
    for (const c of this.curves) c.ink = INKS[Math.max(0, this.labels.indexOf(c.label)) % INKS.length];
    this.curves = this.curves.filter((c) => this.labels.includes(c.label));
  }

  list() {
    this.values = new Map();
    this.names.replaceChildren(...this.labels.map((label) => {
      const value = h("span", { class: "value" });
      this.values.set(label, value);
      const swatch = h("i", { class: "swatch" });
      swatch.style.background = INKS[this.labels.indexOf(label) % INKS.length];
      const button = h("button", { class: "name", "aria-pressed": "true", title: "Show or hide" }, swatch, label, value);
      button.addEventListener("click", () => {
        const off = !this.hidden.delete(label);
        if (off) this.hidden.add(label);
        button.setAttribute("aria-pressed", String(!off));
        this.draw();
      });
      return button;
    }), ...(this.left ? [h("span", { class: "more", textContent: `${this.left} smaller ones left out` })] : []));
  }

  fitted() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = this.area.clientWidth, height = this.area.clientHeight;
    for (const canvas of [this.canvas, this.cursor]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    return { ratio, width, height };
  }

  draw() {
    const { ratio, width, height } = this.fitted();
    if (width < 20 || height < 20) return;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const shown = this.curves.filter((c) => !this.hidden.has(c.label));
    let low = Infinity, high = -Infinity;
    for (const c of shown) for (const v of c.values) { if (v < low) low = v; if (v > high) high = v; }
    if (!(high > low)) { const m = Number.isFinite(low) ? low : 0; low = m - 1; high = m + 1; }
    const pad = 0.06 * (high - low);
    pen.font = FONT;
    const marks = this.marks(low - pad, high + pad);
    const left = marks.reduce((m, { words }) => Math.max(m, Math.ceil(pen.measureText(words).width) + 10), 58);
    this.box = { left, right: width - 10, top: 6, bottom: height - 18, low: low - pad, high: high + pad, marks };
    this.axes(pen);
    for (const c of shown) this.curve(pen, c);
    this.canvas.setAttribute("aria-label", `${this.group} over time, ${shown.length} curves from ${withUnit(low, this.unit)} to ${withUnit(high, this.unit)}`);
    this.move(this.app.t);
  }

  x(t) {
    const { left, right } = this.box;
    return left + ((right - left) * t) / this.app.end;
  }

  y(v) {
    const { top, bottom, low, high } = this.box;
    return bottom - ((bottom - top) * (v - low)) / (high - low);
  }

  // Round values between two, and how they are written.
  marks(low, high) {
    const step = niceStep((high - low) / 2.6), out = [];
    for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
      out.push({ v, words: withUnit(Math.abs(v) < 1e-9 * step ? 0 : Number(v.toPrecision(6)), this.unit) });
    }
    return out;
  }

  axes(pen) {
    const style = getComputedStyle(document.documentElement);
    const { left, right, bottom, marks } = this.box;
    pen.font = FONT;
    pen.fillStyle = style.getPropertyValue("--faint");
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const { v, words } of marks) {
      const y = Math.round(this.y(v)) + 0.5;
      pen.beginPath(); pen.moveTo(left, y); pen.lineTo(right, y); pen.stroke();
      pen.fillText(words, left - 6, y);
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const dt = niceStep((this.app.end * 90) / Math.max(right - left, 90));
    for (let t = 0; t <= this.app.end * 1.0001; t += dt) {
      pen.fillText(`${digits(Number(t.toPrecision(6)))}${t === 0 ? " s" : ""}`, this.x(t), bottom + 5);
    }
  }

  curve(pen, { values, actor, ink, run }) {
    const { time } = actor.playback;
    pen.strokeStyle = ink;
    pen.lineWidth = 1.6;
    pen.setLineDash(run ? [5, 4] : []);
    pen.beginPath();
    for (let k = 0; k < values.length; k++) pen.lineTo(this.x(time[k]), this.y(values[k]));
    pen.stroke();
    pen.setLineDash([]);
  }

  move(t) {
    if (!this.box) return;
    const pen = this.cursor.getContext("2d");
    const ratio = this.cursor.width / Math.max(this.area.clientWidth, 1);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.cursor.width, this.cursor.height);
    const x = this.x(t);
    pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    pen.globalAlpha = 0.7;
    pen.beginPath(); pen.moveTo(x, this.box.top); pen.lineTo(x, this.box.bottom); pen.stroke();
    pen.globalAlpha = 1;
    const said = new Set();
    for (const c of this.curves) {
      if (this.hidden.has(c.label)) continue;
      const [a, b, share] = c.actor.playback.at(t);
      const v = (1 - share) * c.values[a] + share * c.values[b];
      pen.fillStyle = c.ink;
      pen.beginPath(); pen.arc(x, this.y(v), 3, 0, 7); pen.fill();
      if (!said.has(c.label)) this.values.get(c.label).textContent = withUnit(Number(v.toPrecision(4)), this.unit);
      said.add(c.label);
    }
  }

  seek(event, start) {
    if (!this.box) return;
    if (start) this.area.setPointerCapture(event.pointerId);
    const { left, right } = this.box;
    const x = event.clientX - this.area.getBoundingClientRect().left;
    this.app.goto(((x - left) / (right - left)) * this.app.end);
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.app.step(step * (event.shiftKey ? 10 : 1));
  }
}
