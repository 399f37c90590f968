public import Encodings

/// A captured signature in any of the forms that are read.
public enum CaptureFile {
    /// Tells the form by how the file begins, and reads it.
    ///
    /// - Parameters:
    ///   - tool: what it was made with, for forms that do not say; the project's own does.
    ///   - angles: what angles count in a file of Biometrix, which does not say.
    /// - Throws: what the form's reader throws; `unknownUnit` when it begins like none of them.
    public static func read(
        _ bytes: Bytes, tool: Capture.Tool, angles: BiometrixCSV.AngleUnit
    ) throws(CaptureError) -> Capture {
        if bytes.starts(with: TimeSeriesRecord.magic) { return try TimeSeriesRecord.read(bytes, tool: tool) }
        if bytes.starts(with: Bytes(text: "id,")) { return try BiometrixCSV.read(bytes, tool: tool, angles: angles) }
        switch bytes.first {
        case 0x7B: return try CaptureJSON.read(bytes)
        case 0x3C, 0xEF: return try TimeSeriesXML.read(bytes, tool: tool)
        default: throw .unknownUnit
        }
    }
}
