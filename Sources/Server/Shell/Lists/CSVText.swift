/// Rows as text (RFC 4180), which nothing in it can make a spreadsheet calculate.
enum CSVText {
    /// Characters that begin a formula in one of the common spreadsheets, and those that spreadsheets drop before they
    /// look.
    private static let formula = Set<Unicode.Scalar>(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
    /// Beside the comma, what some spreadsheets take for one.
    private static let quoted = Set<Unicode.Scalar>([",", ";", "\t", "\"", "\r", "\n"])

    /// A row with its end.
    static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

    /// One cell: text that would be a formula has an apostrophe before it, which spreadsheets show as text.
    private static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first { $0 != " " && $0 != "\u{A0}" }.map(formula.contains) ?? false
        let text = isFormula ? "'" + text : text
        guard text.unicodeScalars.contains(where: quoted.contains) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
