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

/** A text as part of a file's name: small letters, digits, hyphens. */
export const slug = (text) => text.normalize("NFKD").toLowerCase()
  .replace(/^https?:\/\//, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
