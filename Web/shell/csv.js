// A file of rows that are in the page already: text (RFC 4180), which nothing in it can make a spreadsheet calculate. The
// server writes those of its lists in the same way (CSVText).

/** Characters that begin a formula in one of the common spreadsheets. */
const formula = /^[ \u00a0]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** The file's text: the names of the columns, then the rows. */
export function csv(columns, rows) {
  return [columns, ...rows].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

/** One cell: text that would be a formula has an apostrophe before it, which spreadsheets show as text. */
function cell(value) {
  const text = String(value ?? "");
  const plain = formula.test(text) ? `'${text}` : text;
  return /[,;\t"\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
