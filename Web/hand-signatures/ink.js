// Ink on a canvas: drawn as it is written, a piece for each reading. The whole is never redrawn while a person writes.

/** Widths in CSS pixels: of the lightest touch, what pressure adds, and where nobody can tell it. */
const [thinnest, added, even] = [1.1, 3.2, 2.4];

/** Draws strokes on a canvas whose coordinates are CSS pixels. */
export class Ink {
  /** @param context of the canvas; its `strokeStyle` and `fillStyle` are the colour */
  constructor(context) {
    this.context = context;
    this.points = [];
  }

  /** The next point of the stroke, in CSS pixels; `pressure` 0...1, or `null` when it means nothing. */
  add(x, y, pressure) {
    const { context, points } = this;
    const width = pressure === null ? even : thinnest + added * pressure;
    points.push({ x, y, width });
    if (points.length === 1) return dot(context, x, y, width);
    const [before, control] = points.length === 2 ? [points[0], points[0]] : points.slice(-3);
    // From middle to middle, with the reading between them as the point that the curve bends to: no corner anywhere.
    const from = points.length === 2 ? before : middle(before, control);
    line(context, from, control, middle(control, points.at(-1)));
    if (points.length > 3) points.shift();
    return undefined;
  }

  /** The stroke ends: what is missing from the last middle to the last point. */
  lift() {
    const [before, last] = this.points.slice(-2);
    if (last) line(this.context, middle(before, last), last, last);
    this.points = [];
  }
}

function line(context, from, control, to) {
  context.lineWidth = control.width;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.quadraticCurveTo(control.x, control.y, to.x, to.y);
  context.stroke();
}

function dot(context, x, y, width) {
  context.beginPath();
  context.arc(x, y, width / 2, 0, 2 * Math.PI);
  context.fill();
}

function middle(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: b.width };
}
