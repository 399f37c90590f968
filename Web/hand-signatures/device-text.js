// The browser's description of the device, in short: evidence for the report, and nothing that counts.

const mostBytes = 300;

/** Such as "iPad · pen · screen 820 × 1180 at 2". @param tool what was written with, if anything was */
export function deviceText(tool) {
  const { width, height } = screen;
  const parts = [platform(), tool, `screen ${width} × ${height} at ${Math.round(devicePixelRatio * 100) / 100}`];
  return cut(parts.filter(Boolean).join(' · '), mostBytes);
}

function platform() {
  const { userAgentData: data, platform: old, maxTouchPoints } = navigator;
  const brand = data?.brands?.find(({ brand: name }) => !/not.?a.?brand/i.test(name))?.brand;
  // Tablets of Apple say that they are a Mac, which has no touch screen.
  const name = data?.platform || (old === 'MacIntel' && maxTouchPoints > 1 ? 'iPad' : old);
  return [name, brand].filter(Boolean).join(', ');
}

/** As many whole characters of a text as fit into so many bytes. */
export function cut(text, most) {
  let short = text;
  while (new TextEncoder().encode(short).length > most) short = [...short].slice(0, -1).join('');
  return short;
}
