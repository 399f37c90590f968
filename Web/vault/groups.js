// What goes in one change, of a list that may be long.

/** The most nodes: a change that hands over is one of two in a request. */
const together = 450;
/** The most bytes of their metadata: the server writes the rows of all of them, while others wait. */
const mostBytes = 8 << 20;

/** The ids in parts that one change can hold. @param records of the vault that they are in, by id */
export function groups(ids, records) {
  const parts = [];
  let bytes = 0;
  for (const id of ids) {
    const size = records.get(id)?.metadata.length ?? 0;
    bytes += size;
    if (parts.length === 0 || parts.at(-1).length === together || bytes > mostBytes) {
      parts.push([]);
      bytes = size;
    }
    parts.at(-1).push(id);
  }
  return parts;
}
