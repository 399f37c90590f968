// Where ink is shown on a surface that has changed its size: all of it, as it was if there is room, else smaller.

/** Free on every side, in CSS pixels: ink is wider than its points. */
const margin = 6;

/**
 * The view in which all samples can be seen.
 *
 * @param samples with `x` and `y` in hundredths of a CSS pixel
 * @param view `{scale, x, y}` until now: a point is shown at `point * scale + (x, y)`
 * @param size `{width, height}` of the surface, in CSS pixels
 */
export function fitted(samples, view, { width, height }) {
  const [left, right] = range(samples, 'x');
  const [top, bottom] = range(samples, 'y');
  const room = (length) => Math.max(length - 2 * margin, 1);
  const scale = Math.min(1, room(width) / Math.max(right - left, 1), room(height) / Math.max(bottom - top, 1));
  return { scale, x: within(view.x, left * scale, right * scale, width), y: within(view.y, top * scale, bottom * scale, height) };
}

/** The offset nearest to the present one that shows everything from `first` to `last`. */
function within(offset, first, last, length) {
  return Math.min(Math.max(offset, margin - first), length - margin - last);
}

function range(samples, name) {
  let [least, most] = [Infinity, -Infinity];
  for (const sample of samples) {
    least = Math.min(least, sample[name] / 100);
    most = Math.max(most, sample[name] / 100);
  }
  return [least, most];
}
