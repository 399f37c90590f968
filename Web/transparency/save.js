// Writing a file to where the browser keeps downloads.

/** Saves bytes under a name. */
export function save(bytes, name, type = "application/octet-stream") {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to read by then; revoking at once breaks the download in some of them.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** So many bytes of a text at most: file systems take 255 for a whole name. */
const longest = 120;

/** A text as part of a file's name: its letters and digits as they are, in any script, and hyphens for all else. */
export function slug(text) {
  const clean = text.normalize("NFC").replace(/^https?:\/\//i, "").replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-+/, "");
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(clean)) {
    if (new TextEncoder().encode(kept + segment).length > longest) break;
    kept += segment;
  }
  return kept.replace(/-+$/, "");
}
