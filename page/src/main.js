// Reads the data, puts the robots on the stage, and starts.

import { App } from "./app.js";
import { readData } from "./data.js";
import { byId, h } from "./dom.js";
import { Panel } from "./panel.js";

async function start() {
  const app = new App(await readData());
  new Panel(app);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  app.theme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => app.theme(dark.matches ? "dark" : "light"));
  const fit = () => {
    const stage = byId("stage");
    const free = byId("panel").hidden || window.innerWidth < 720 ? 0 : byId("panel").offsetWidth + 12;
    app.stage.resize(stage.clientWidth, stage.clientHeight, free);
    for (const actor of app.actors) actor.paths?.resize(stage.clientWidth, stage.clientHeight);
  };
  new ResizeObserver(fit).observe(byId("stage"));
  window.addEventListener("resize", fit);
  fit();
  for (const actor of app.actors) actor.paths?.trace(app.settings.magnification);
  if (!app.posing) app.visible("paths", true);
  app.goto(0);
  app.startView();
  app.run();
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!app.posing && !calm && location.hash !== "#still") app.play();
  window.supple = app; // for scripts and tests
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  const words = /webgl/i.test(String(error)) ? "This browser cannot draw in three dimensions (WebGL is off or missing)." : String(error);
  document.body.replaceChildren(h("p", { class: "failed", role: "alert", textContent: words }));
  document.documentElement.dataset.ready = "failed";
  console.error(error);
});
