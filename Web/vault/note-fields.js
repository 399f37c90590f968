// Fields of a note, such as a PIN or an account number. They are lines at the beginning of its text, `PIN:: 1234`, so a program that
// knows no fields reads the note as it is (docs/vault-format.md, "Fields of a note").

/** The most fields of a note, and the most characters of a name and of a value. */
export const mostFields = 30;
export const longestName = 80;
export const longestValue = 1000;

/** A name without colons and without spaces around it, two colons, and a value of one line. */
const pattern = /^([^\s:](?:[^\n:]*[^\s:])?)::(?: ([^\n]*?))?\r?$/;

/** `{fields, rest}` of a text: `{name, value}` each, and the text behind them. */
export function parsed(text) {
  const lines = text.split("\n");
  const fields = [];
  for (const line of lines.slice(0, mostFields)) {
    const [, name, value = ""] = pattern.exec(line) ?? [];
    if (name === undefined || name.length > longestName) break;
    fields.push({ name, value });
  }
  const rest = lines.slice(fields.length);
  if (fields.length > 0 && ["", "\r"].includes(rest[0])) rest.shift();
  return { fields, rest: rest.join("\n") };
}

/** The text of fields and of what is behind them, with an empty line between. */
export function composed({ fields, rest }) {
  const lines = fields.map(({ name, value }) => `${name}:: ${value}`);
  return [...lines, ...(rest && lines.length > 0 ? ["", rest] : rest ? [rest] : [])].join("\n");
}
