/** The media type of a document that was issued: a signed package, as docs/documents.md has it. */
export const issuedType = "application/vnd.countersign.package+json";
