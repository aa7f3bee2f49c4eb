// The panel, the transport, the keys: everything a user touches.

import { SPEEDS } from "./app.js";
import { SCALES, gradient, withUnit } from "./colours.js";
import { byId, h } from "./dom.js";
import { Plot } from "./plot.js";

const KEYS = [
  ["Space", "play or pause"], ["← →", "one frame back or on (Shift: ten)"], ["Home End", "start or end"],
  ["+ −", "faster or slower"], ["1 2 3 4", "corner, front, side, top"], ["F", "fit everything"],
  ["M N", "magnify bending more or less"], ["G", "ghost: the robot that does not bend"], ["P", "paths of tools"],
  ["A", "axes of links"], ["L", "torques and forces"], ["W", "weights"], ["C", "colours"],
  ["T", "light or dark"], ["O", "panel"], ["S", "save a picture"], ["H ?", "this help"],
];

export class Panel {
  constructor(app) {
    this.app = app;
    this.element = byId("panel");
    this.element.append(...[this.runs(), this.modes(), this.looks(), this.pose(), this.about()].filter(Boolean));
    this.head();
    this.tools();
    if (!app.posing) this.transport();
    this.help();
    document.addEventListener("keydown", (event) => this.key(event));
    app.on(() => this.renew());
    app.moved = () => this.moved();
    this.renew();
  }

  head() {
    const { data } = this.app;
    byId("title").textContent = data.title;
    const spec = data.robots[0];
    byId("subtitle").textContent = spec.description ?? "";
    const links = this.app.robots[0].links.filter((x) => !["rotor", "helper", "payload", "hub"].includes(x.role)).length;
    byId("canvas").setAttribute("aria-label",
      `${data.title}: ${spec.description || "robot"}, ${links} links. Drag to turn, wheel to zoom, right drag to move.`);
  }

  section(title, ...children) {
    return h("details", { open: true }, h("summary", { textContent: title }), ...children);
  }

  // --- settings
  looks() {
    const { app } = this;
    const boxes = [["ghost", "Ghost of the unbent robot"], ["paths", "Paths of tools"], ["frames", "Axes of links"]];
    if (app.openGhost || app.robots.every((r) => !r.shapes.length)) boxes.shift();
    if (app.posing) boxes.splice(boxes.findIndex(([n]) => n === "paths"), 1);
    else boxes.push(["forces", "Torques and forces"]);
    if (app.actors.some((a) => a.cuts)) boxes.push(["cuts", "Forces at the cuts of loops"]);
    if (app.robots.some((r) => r.spec.gravity.some(Boolean))) boxes.push(["weights", "Weights"]);
    this.boxes = new Map(boxes.map(([name, words]) => {
      const input = h("input", { type: "checkbox", id: `show-${name}`, onchange: () => app.visible(name, input.checked) });
      return [name, { input, row: h("label", { class: "row" }, input, words) }];
    }));
    const colour = h("select", { id: "colour", onchange: () => app.set("colour", colour.value) },
      app.colours.map((name) => h("option", { value: name, textContent: SCALES[name]?.name ?? (app.actors.length > 1 ? "Runs" : "Links") })));
    this.colour = colour;
    return this.section("Show",
      app.colours.length > 1 ? h("label", { class: "row split" }, "Colour by", colour) : null,
      this.magnify(), this.thick(),
      [...this.boxes.values()].map(({ row }) => row));
  }

  magnify() {
    const { app } = this;
    if (app.magnifications.length < 2) return null;
    const slider = h("input", { type: "range", id: "magnify", min: 0, max: app.magnifications.length - 1, step: 1, value: 0, "aria-label": "Magnify bending" });
    slider.addEventListener("input", () => app.set("magnification", app.magnifications[slider.value]));
    this.magnifier = slider;
    this.factor = h("output", { class: "factor" });
    const said = app.posing ? null : h("p", { class: "hint", textContent: `off the unbent robot by up to ${app.words()}${app.most.link ? ` (${app.most.link})` : ""}` });
    return h("div", {}, h("label", { class: "row split" }, "Magnify bending", this.factor), slider, said);
  }

  thick() {
    const { app } = this;
    if (!app.robots.some((r) => r.beams.length)) return null;
    const known = app.robots.some((r) => r.beams.some((b) => b.half));
    const unknown = app.robots.some((r) => r.beams.some((b) => !b.half));
    const steps = [...new Set([1, 1.5, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50, app.thickness])].sort((a, b) => a - b);
    const said = h("output", { class: "factor", textContent: `×${app.thickness}` });
    const slider = h("input", { type: "range", id: "thick", min: 0, max: steps.length - 1, step: 1, value: steps.indexOf(app.thickness), "aria-label": "Thickness of sections", "aria-valuetext": `times ${app.thickness}` });
    slider.addEventListener("input", () => {
      app.setThickness(steps[slider.value]);
      said.textContent = `×${steps[slider.value]}`;
      slider.setAttribute("aria-valuetext", `times ${steps[slider.value]}`);
    });
    const words = known ? (unknown ? "sections that the model does not give are drawn round" : "true sections at ×1")
      : "the model gives no section: drawn round";
    return h("div", {}, h("label", { class: "row split" }, "Thickness", said), slider, h("p", { class: "hint", textContent: words }));
  }

  runs() {
    const { app } = this;
    if (app.actors.length < 2) return null;
    return this.section("Runs", app.actors.map((actor, i) => {
      const swatch = h("i", { class: "swatch" });
      swatch.style.background = actor.figure.look.tint;
      const input = h("input", { type: "checkbox", id: `run-${i}`, checked: true, onchange: () => app.showRun(i, input.checked) });
      return h("label", { class: "row" }, input, swatch, h("span", { textContent: actor.playback.label }),
        i ? h("span", { class: "hint", textContent: "dashed in plots" }) : null);
    }));
  }

  // --- a robot posed by hand
  pose() {
    const { app } = this;
    if (!app.posing) return null;
    const poser = app.actors[0].playback;
    const rows = poser.handles.map((handle, k) => {
      const value = h("output", { class: "factor" });
      const say = () => {
        const v = handle.value;
        value.textContent = handle.kind === "turn" ? `${((v * 180) / Math.PI).toFixed(1)}°` : withUnit(Number(v.toPrecision(3)), handle.kind === "slide" ? "m" : "");
        slider.setAttribute("aria-valuetext", value.textContent);
      };
      const slider = h("input", { type: "range", id: `q-${k}`, min: handle.range[0], max: handle.range[1], step: "any", value: handle.value, "aria-label": handle.name });
      slider.addEventListener("input", () => {
        poser.set(handle, Number(slider.value));
        say();
        app.refresh();
        this.note(poser.open ? "the loops do not close there" : "");
      });
      say();
      handle.slider = slider;
      handle.say = say;
      return h("div", { class: "handle" }, h("label", { class: "row split" }, h("span", { class: "clip", title: handle.name, textContent: handle.name }), value), slider);
    });
    const joints = rows.filter((_, k) => poser.handles[k].kind !== "shape");
    const shapes = rows.filter((_, k) => poser.handles[k].kind === "shape");
    const reset = h("button", { class: "wide", id: "reset", textContent: "Back to the start", onclick: () => this.reset() });
    return h("div", {}, joints.length ? this.section(app.robots[0].spec.loops.length ? "Motors" : "Joints", joints) : null,
      shapes.length ? this.section("Shapes", shapes) : null, reset);
  }

  reset() {
    const poser = this.app.actors[0].playback;
    poser.reset();
    for (const handle of poser.handles) { handle.slider.value = handle.value; handle.say(); }
    this.app.refresh();
    this.note("");
  }

  modes() {
    const { app } = this;
    if (!app.posing) return null;
    const poser = app.actors[0].playback;
    if (!poser.modes.length) return app.robots[0].shapes.length ? this.section("Modes", h("p", { class: "hint", textContent: poser.why })) : null;
    this.modeButtons = poser.modes.map((mode, k) => h("button", {
      class: "mode", id: `mode-${k}`, "aria-pressed": "false", onclick: () => this.vibrate(poser.mode === mode ? null : mode),
    }, h("span", { textContent: `Mode ${k + 1}` }), h("span", { class: "value", textContent: `${Number(mode.hertz.toPrecision(4))} Hz` })));
    this.slow = h("p", { class: "hint", textContent: "motors locked, at the start pose" });
    return this.section("Modes", h("div", { class: "modes" }, this.modeButtons), this.slow);
  }

  vibrate(mode) {
    const { app } = this;
    const poser = app.actors[0].playback;
    if (mode) this.reset();
    poser.choose(mode, app.extent);
    app.settings.limits = { curvature: 0, stress: 0 };
    app.playing = Boolean(mode);
    app.last = null;
    app.t = 0;
    if (!mode) app.refresh();
    const factor = mode ? mode.hertz / mode.shown : 1;
    this.slow.textContent = !mode ? "motors locked, at the start pose"
      : factor > 1.01 ? `shown ${Number(factor.toPrecision(3))} times slower than it is` : factor < 0.99 ? `shown ${Number((1 / factor).toPrecision(3))} times faster than it is` : "shown as fast as it is";
    this.modeButtons.forEach((b, k) => b.setAttribute("aria-pressed", String(poser.modes[k] === mode)));
  }

  about() {
    const notes = this.app.data.runs.flatMap((r) => [...r.warnings, r.stopped]).filter(Boolean);
    if (!notes.length) return null;
    const section = this.section(`Take care (${notes.length})`, notes.map((text) => h("p", { class: "warning", textContent: text })));
    section.open = false;
    return section;
  }

  // --- tools
  tools() {
    const { app } = this;
    for (const button of document.querySelectorAll("[data-camera]")) {
      button.addEventListener("click", () => app.stage.preset(button.dataset.camera));
    }
    byId("fit").addEventListener("click", () => app.stage.fit());
    byId("picture").addEventListener("click", () => this.picture());
    byId("theme").addEventListener("click", () => this.flip());
    byId("help").addEventListener("click", () => this.toggleHelp());
    byId("panel-toggle").addEventListener("click", () => this.togglePanel());
    if (window.innerWidth < 720) this.togglePanel(false);
  }

  togglePanel(on = this.element.hidden) {
    this.element.hidden = !on;
    byId("panel-toggle").setAttribute("aria-expanded", String(on));
    window.dispatchEvent(new Event("resize"));
  }

  flip() {
    this.app.theme(this.app.themeName === "dark" ? "light" : "dark");
  }

  picture() {
    this.app.stage.render(true);
    byId("canvas").toBlob((blob) => {
      const link = h("a", { href: URL.createObjectURL(blob), download: "supple.png" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  // --- time
  transport() {
    const { app } = this;
    byId("transport").hidden = false;
    byId("plots").hidden = !app.groups.length;
    byId("play").addEventListener("click", () => app.toggle());
    const slider = byId("time");
    slider.max = app.end || 1;
    slider.addEventListener("input", () => { app.pause(); app.goto(Number(slider.value)); });
    const speed = byId("speed");
    speed.append(...SPEEDS.map((s) => h("option", { value: s, textContent: s < 1 ? `1/${Math.round(1 / s)}` : String(s), selected: s === app.speed })));
    speed.addEventListener("change", () => { app.speed = Number(speed.value); });
    const first = app.groups.slice(0, 1);
    const second = app.groups.find((g) => ["Torques", "Forces", "Energy"].includes(g));
    this.plots = [...new Set([...first, second].filter(Boolean))].map((group) => new Plot(app, group));
    byId("plots").append(...this.plots.map((p) => p.element));
  }

  moved() {
    const { app } = this;
    if (app.posing) return;
    byId("time").value = app.t;
    const clock = `${app.t.toFixed(app.end < 1 ? 4 : 2)} s`;
    byId("clock").textContent = clock;
    byId("time").setAttribute("aria-valuetext", clock);
    this.plots?.forEach((p) => p.move(app.t));
  }

  faster(way) {
    const select = byId("speed");
    select.selectedIndex = Math.min(Math.max(select.selectedIndex + way, 0), select.options.length - 1);
    select.dispatchEvent(new Event("change"));
    this.note(`speed ${select.options[select.selectedIndex].textContent}`);
  }

  // --- what follows from the settings
  renew() {
    const { app } = this;
    document.body.classList.toggle("playing", app.playing);
    if (this.themed !== app.themeName) this.plots?.forEach((p) => p.draw());
    this.themed = app.themeName;
    byId("play").setAttribute("aria-label", app.playing ? "Pause" : "Play");
    const m = app.settings.magnification;
    if (this.magnifier) {
      this.magnifier.value = app.magnifications.indexOf(m);
      this.factor.textContent = m === 1 ? "true" : `×${m}`;
      this.magnifier.setAttribute("aria-valuetext", m === 1 ? "true size" : `times ${m}`);
    }
    for (const [name, { input }] of this.boxes) input.checked = Boolean(app.settings[name]);
    this.colour.value = app.settings.colour;
    this.legend();
  }

  legend() {
    const { app } = this;
    const scale = SCALES[app.settings.colour];
    byId("legend").hidden = !scale;
    if (!scale) return;
    const unit = app.robots[0].spec.units === "SI" ? scale.unit : "";
    const most = app.settings.limits[app.settings.colour];
    byId("legend-name").textContent = scale.name;
    byId("legend-bar").style.background = gradient(scale.steps);
    byId("legend-low").textContent = scale.two ? withUnit(-most, unit) : withUnit(0, unit);
    byId("legend-high").textContent = withUnit(most, unit);
  }

  note(text) {
    byId("note").textContent = text;
    clearTimeout(this.noted);
    if (text) this.noted = setTimeout(() => (byId("note").textContent = ""), 2500);
  }

  // --- keys
  help() {
    const box = byId("help-box");
    box.append(h("h2", { textContent: "Keys" }),
      h("dl", {}, KEYS.flatMap(([key, words]) => [h("dt", {}, key.split(" ").map((k) => h("kbd", { textContent: k }))), h("dd", { textContent: words })])),
      h("p", { class: "hint", textContent: "Drag turns the view, the wheel zooms, right drag moves. A click in a plot goes to that instant; a click on a name hides its curve." }),
      h("p", { class: "hint", textContent: "Made with Supple (Apache-2.0). Contains three.js, © the three.js authors, MIT licence: its text stands in this file's program." }),
      h("button", { class: "wide", textContent: "Close", onclick: () => box.close() }));
    box.addEventListener("click", (event) => event.target === box && box.close());
  }

  toggleHelp() {
    const box = byId("help-box");
    if (box.open) box.close();
    else box.showModal();
  }

  key(event) {
    const field = event.target.matches?.("input[type=range], select, input[type=text]");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.action(event.key, event.shiftKey);
    if (!action || (field && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key))) return;
    if (event.key === " " && event.target.matches?.("button, input, select, summary")) return;
    event.preventDefault();
    action();
  }

  action(key, shift) {
    const { app } = this;
    const flip = (name) => () => this.boxes.has(name) && app.visible(name, !app.settings[name]);
    const magnify = (way) => () => {
      const k = app.magnifications.indexOf(app.settings.magnification) + way;
      const m = app.magnifications[Math.min(Math.max(k, 0), app.magnifications.length - 1)];
      app.set("magnification", m);
      this.note(m === 1 ? "true size" : `bending ×${m}`);
    };
    const time = app.posing ? {} : {
      " ": () => app.toggle(), ArrowLeft: () => app.step(shift ? -10 : -1), ArrowRight: () => app.step(shift ? 10 : 1),
      Home: () => app.goto(0), End: () => app.goto(app.end), "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1),
    };
    const keys = {
      ...time,
      1: () => app.stage.preset("iso"), 2: () => app.stage.preset("front"), 3: () => app.stage.preset("side"), 4: () => app.stage.preset("top"),
      f: () => app.stage.fit(), g: flip("ghost"), p: flip("paths"), a: flip("frames"), l: () => { flip("forces")(); flip("cuts")(); }, w: flip("weights"),
      m: magnify(1), n: magnify(-1), t: () => this.flip(), o: () => this.togglePanel(), s: () => this.picture(), h: () => this.toggleHelp(), "?": () => this.toggleHelp(),
      c: () => { const k = app.colours.indexOf(app.settings.colour); app.set("colour", app.colours[(k + 1) % app.colours.length]); },
    };
    return keys[key.length === 1 ? key.toLowerCase() : key];
  }
}
