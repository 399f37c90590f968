import ArgumentParser
import Encodings
import Foundation
import HandSignatures

/// `countersign signatures convert`.
struct SignaturesConvertCommand: ParsableCommand {
    /// The forms that are written.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case json, xml, record, svg
    }

    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Write a captured signature in another form.",
        discussion: """
            Reads the project's JSON, CSV of Biometrix, and ISO/IEC 19794-7 as XML or as a record of bytes. The two ISO \
            forms hold 16 bits a number. A capture that does not fit is refused; --coarsen makes it fit. svg is a \
            picture for people: it shows the shape and not the movement, so nothing reads it back.

              countersign signatures convert probe.json --to xml --out probe.xml
              countersign signatures convert page.json --to record --coarsen 4 --out page.iso
              countersign signatures convert probe.json --to svg --out probe.svg
            """)

    @Argument(help: "The signature.", completion: .file()) var file: String
    @Option(help: "The form to write.") var to: Form
    @Option(name: [.customLong("out")], help: "The file to write; - is standard output.", completion: .file())
    var out: String
    @Option(help: "Join this many steps of position into one, and round times to 0.1 ms.") var coarsen: Int32?
    @Option(help: "When it was captured, for XML: 2026-11-22T02:30:00Z.") var date: String?
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var captures: CaptureOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000).contains(coarsen ?? 1) else { throw ValidationError("--coarsen: a number from 1 to 1000") }
        guard date == nil || to == .xml else { throw ValidationError("--date is for XML") }
    }

    func run() throws {
        var capture = try captures.read(file)
        do {
            if let coarsen { capture = try capture.coarsened(clock: 100, steps: coarsen) }
            let date = Bytes(text: date ?? Date().formatted(.iso8601))
            let bytes =
                switch to {
                case .json: CaptureJSON.write(capture)
                case .xml: try TimeSeriesXML.write(capture, date: date)
                case .record: try TimeSeriesRecord.write(capture)
                case .svg: Ink.file(capture)
                }
            try write(bytes, capture)
        } catch let error as CaptureError {
            throw CommandError("\(file): \(error.words) (\(error))")
        }
    }

    private func write(_ bytes: Bytes, _ capture: Capture) throws {
        try Files.write(bytes, to: out, force: force)
        guard out != "-" else { return }
        if output.json {
            Output.print(
                .members([
                    ("bytes", .integer(Int64(bytes.count))), ("samples", .integer(Int64(capture.samples.count))),
                ]))
        } else {
            Output.line("\(out): \(capture.samples.count) samples in \(bytes.count) bytes")
        }
    }
}
