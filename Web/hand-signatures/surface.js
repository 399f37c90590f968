// A canvas that follows its size, the screen's pixels and the colours, and what is written on it.
//
// Ink has coordinates of its own: CSS pixels as they were when the first stroke began. When the canvas changes its size or
// is turned, the view is fitted to the ink, and what is written stays as it was read.

import { Ink } from './ink.js';
import { fitted } from './view.js';

const unscaled = { scale: 1, x: 0, y: 0 };

export class Surface {
  /** @param recording gives what is written, or `null` */
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    this.context = canvas.getContext('2d', { desynchronized: true });
    this.ink = new Ink(this.context);
    this.view = unscaled;
    this.size = { width: 0, height: 0, ratio: 0 };
    this.ending = new AbortController();
    this.observer = new ResizeObserver(() => this.refit());
    this.observer.observe(canvas);
    this.refit();
  }

  /** Readings with `x` and `y` as ink has them, from `clientX` and `clientY`; they are drawn, too. */
  write(readings, isPressed) {
    // Both in CSS pixels of the layout: a page that is pinched larger gives the same positions.
    const box = this.canvas.getBoundingClientRect();
    const [across, down] = [this.size.width / (box.width || 1), this.size.height / (box.height || 1)];
    return readings.map(({ clientX, clientY, ...rest }) => {
      const [x, y] = [(clientX - box.left) * across, (clientY - box.top) * down];
      this.ink.add(x, y, isPressed ? rest.pressure : null);
      return { ...rest, x: (x - this.view.x) / this.view.scale, y: (y - this.view.y) / this.view.scale };
    });
  }

  lift() { this.ink.lift(); }

  clear() {
    this.view = unscaled;
    this.redraw();
  }

  /** Follows the canvas's size and the screen's pixels. */
  refit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { width: before, height: beforeHeight, ratio: beforeRatio } = this.size;
    const ratio = devicePixelRatio;
    if (width === 0 || (width === before && height === beforeHeight && ratio === beforeRatio)) return;
    this.size = { width, height, ratio };
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const recording = this.recording();
    this.view = recording ? fitted(recording.samples, this.view, this.size) : unscaled;
    this.redraw();
    // A window that is moved to another screen keeps its size.
    matchMedia(`(resolution: ${ratio}dppx)`).addEventListener('change', () => this.refit(), { once: true, signal: this.ending.signal });
  }

  /** Everything from the samples: only when the canvas has changed, never while a person writes. */
  redraw() {
    const { context, ink, view, size } = this;
    ink.points = [];
    context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.lineCap = context.lineJoin = 'round';
    context.strokeStyle = context.fillStyle = getComputedStyle(this.canvas).color;
    const recording = this.recording();
    for (const { x, y, pressure, isLift } of recording?.samples ?? []) {
      ink.add(x / 100 * view.scale + view.x, y / 100 * view.scale + view.y, recording.tool === 'pen' ? pressure : null);
      if (isLift) ink.lift();
    }
  }

  close() {
    this.ending.abort();
    this.observer.disconnect();
  }
}
