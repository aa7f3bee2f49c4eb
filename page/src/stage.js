// Camera, lights, ground with shadows, and drawing when something has changed.

import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, Fog, Group,
  HemisphereLight, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, NotEqualStencilFunc, PerspectiveCamera, ReplaceStencilOp, Scene, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export const THEMES = {
  light: { back: "#f3f5f8", grid: "#c9d0da", far: "#f3f5f8", shadow: 0.13, sky: "#ffffff", earth: "#b9c2cf", ink: "#1f2933" },
  dark: { back: "#14181f", grid: "#333c49", far: "#14181f", shadow: 0.42, sky: "#dfe8f5", earth: "#39424f", ink: "#e6ebf2" },
};

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.soft = paintedByProcessor();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.soft, stencil: true, preserveDrawingBuffer: true });
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(34, 1, 0.01, 1000);
    this.sun = new DirectionalLight("#ffffff", 2.1);
    this.sky = new HemisphereLight("#ffffff", "#b9c2cf", 1.5);
    this.scene.add(this.sun, this.sky, new AmbientLight("#ffffff", 0.35));
    this.ground = new Group();
    this.shadows = new Group();
    this.shadows.matrixAutoUpdate = false;
    this.scene.add(this.ground, this.shadows);
    this.up = new Vector3(0, 0, 1);
    this.centre = new Vector3();
    this.radius = 1;
    this.dirty = true;
  }

  // Up, points of all that is ever seen, the ball that holds them, and where the ground is.
  frame(up, points, centre, radius, ground) {
    this.points = points;
    this.up.copy(up);
    this.centre.copy(centre);
    this.radius = radius;
    this.height = ground;
    this.camera.up.copy(up);
    this.camera.near = radius / 200;
    this.camera.far = radius * 60;
    const { east, north } = this.compass();
    this.light = new Vector3().addScaledVector(east, 0.45).addScaledVector(north, -0.55).addScaledVector(up, 1).normalize();
    this.sun.position.copy(this.light).multiplyScalar(10 * radius);
    this.sky.position.copy(up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxDistance = 20 * radius;
    this.controls.minDistance = radius / 30;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.flatten();
  }

  // Two directions square to up: world x and y where up is z.
  compass() {
    const east = new Vector3(1, 0, 0);
    if (Math.abs(east.dot(this.up)) > 0.9) east.set(0, 1, 0);
    east.addScaledVector(this.up, -east.dot(this.up)).normalize();
    return { east, north: new Vector3().crossVectors(this.up, east) };
  }

  // Shadows: everything pressed flat onto the ground along the light.
  flatten() {
    const n = this.up, l = this.light, k = 1 / n.dot(l);
    const h = this.height + 0.0005 * this.radius;
    const row = (a, b) => (a === b ? 1 : 0);
    const N = n.toArray(), L = l.toArray(), e = [];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) e.push(row(i, j) - k * L[i] * N[j]);
      e.push(k * h * L[i]);
    }
    this.shadows.matrix.set(...e, 0, 0, 0, 1);
  }

  // A shadow of every mesh inside `object`.
  shade(object) {
    this.shadow ??= new MeshBasicMaterial({
      color: 0, transparent: true, opacity: 0.13, depthWrite: false, stencilWrite: true,
      stencilRef: 1, stencilFunc: NotEqualStencilFunc, stencilZPass: ReplaceStencilOp,
    });
    const found = [];
    object.traverse((mesh) => {
      if (!mesh.isMesh) return;
      const copy = mesh.isInstancedMesh
        ? new InstancedMesh(mesh.geometry, this.shadow, mesh.count)
        : new Mesh(mesh.geometry, this.shadow);
      if (mesh.isInstancedMesh) copy.instanceMatrix = mesh.instanceMatrix;
      else {
        copy.matrixAutoUpdate = false;
        copy.matrix = mesh.matrix;
      }
      copy.frustumCulled = false;
      copy.renderOrder = 1;
      this.shadows.add(copy);
      found.push(copy);
    });
    return found;
  }

  theme(name) {
    const t = THEMES[name];
    this.scene.background = new Color(t.back);
    this.scene.fog = new Fog(t.back, 9 * this.radius, 34 * this.radius);
    this.sky.color.set(t.sky);
    this.sky.groundColor.set(t.earth);
    if (this.shadow) this.shadow.opacity = t.shadow;
    this.grid(t);
    this.dirty = true;
  }

  // Lines of a round number of units, fading with the distance.
  grid(t) {
    this.ground.clear();
    const step = niceStep(this.radius / 3.2), reach = 24, piece = 4;
    const { east, north } = this.compass();
    const middle = this.centre.clone();
    middle.addScaledVector(this.up, this.height - middle.dot(this.up));
    const snap = (v) => Math.round(v / step) * step;
    middle.addScaledVector(east, snap(middle.dot(east)) - middle.dot(east));
    middle.addScaledVector(north, snap(middle.dot(north)) - middle.dot(north));
    const points = [], colours = [];
    const ink = new Color(t.grid), far = new Color(t.far), c = new Color();
    const put = (a, b, bold) => {
      const p = middle.clone().addScaledVector(east, a * step).addScaledVector(north, b * step);
      points.push(p.x, p.y, p.z);
      const share = Math.min(1, Math.hypot(a, b) / reach);
      c.lerpColors(ink, far, Math.pow(share, 0.8) * 0.9 + (bold ? 0 : 0.1)).toArray(colours, colours.length);
    };
    for (let a = -reach; a <= reach; a++) {
      for (let b = -reach; b < reach; b += piece) {
        if (Math.hypot(a, b + piece / 2) > reach) continue;
        put(a, b, a % 5 === 0); put(a, b + piece, a % 5 === 0);
        put(b, a, a % 5 === 0); put(b + piece, a, a % 5 === 0);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
    this.ground.add(new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, fog: true })));
    this.step = step;
  }

  // Look along a direction so that all points are in the picture's free part.
  look(direction, margin = 1.2) {
    const back = direction.clone().normalize();
    const right = new Vector3().crossVectors(this.up, back).normalize();
    const above = new Vector3().crossVectors(back, right);
    const along = (e) => this.points.map((p) => p.dot(e));
    const [x, y, z] = [right, above, back].map(along);
    const middle = (v) => (Math.max(...v) + Math.min(...v)) / 2;
    const [cx, cy, cz] = [middle(x), middle(y), middle(z)];
    const high = Math.tan((this.camera.fov * Math.PI) / 360) / margin;
    const wide = high * this.camera.aspect;
    let distance = 0;
    for (let k = 0; k < x.length; k++) {
      const far = Math.max(Math.abs(x[k] - cx) / wide, Math.abs(y[k] - cy) / high);
      distance = Math.max(distance, far + z[k] - cz);
    }
    distance = Math.max(distance, 0.8 * this.radius);
    this.controls.target.set(0, 0, 0).addScaledVector(right, cx).addScaledVector(above, cy).addScaledVector(back, cz);
    this.camera.position.copy(this.controls.target).addScaledVector(back, distance);
    this.controls.update();
    this.dirty = true;
  }

  fit() {
    this.look(this.camera.position.clone().sub(this.controls.target));
  }

  preset(name) {
    const { east, north } = this.compass();
    const way = {
      iso: () => east.clone().multiplyScalar(0.75).addScaledVector(north, -1).addScaledVector(this.up, 0.62),
      front: () => north.clone().multiplyScalar(-1).addScaledVector(this.up, 0.04),
      side: () => east.clone().addScaledVector(this.up, 0.04),
      top: () => this.up.clone().addScaledVector(north, -1e-3),
    }[name]();
    this.look(way);
  }

  resize(width, height, shift) {
    this.renderer.setPixelRatio(pixels());
    this.renderer.setSize(width, height, false);
    this.fine = false;
    this.camera.aspect = Math.max(width - shift, 1) / Math.max(height, 1);
    this.camera.setViewOffset(Math.max(width - shift, 1), height, 0, 0, width, height);
    this.dirty = true;
  }

  // Draws if something has changed. Without a graphics card edges are smoothed once it rests.
  draw(now = performance.now()) {
    this.controls.update();
    if (!this.dirty) {
      if (this.soft && !this.fine && now - this.drawn > 300) this.render(true);
      return false;
    }
    this.dirty = false;
    this.drawn = now;
    this.render(false);
    return true;
  }

  render(fine) {
    if (fine !== this.fine) this.renderer.setPixelRatio(fine ? 2 * pixels() : pixels());
    this.fine = fine;
    this.renderer.render(this.scene, this.camera);
  }
}

const pixels = () => Math.min(window.devicePixelRatio || 1, 2);

// Whether there is no graphics card: smoothing every picture would then halve their number.
function paintedByProcessor() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const words = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = words ? gl.getParameter(words.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

// 1, 2 or 5 times a power of ten.
export function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5].findLast((f) => f * power <= x) ?? 1);
}
