import Encodings
import Foundation
package import Logging

/// The server's log: one line an event, to standard error.
package enum ServerLog {
    /// A logger in the form and from the level that the configuration asks for.
    ///
    /// - Parameter recent: keeps the newest lines for the console.
    /// - Parameter settings: whose level counts, where it changes while the server runs.
    package static func makeLogger(
        _ configuration: ServerConfiguration, recent: RecentLog? = nil, settings: LiveSettings? = nil
    ) -> Logger {
        var logger = Logger(label: "countersign") { _ in
            LineLogHandler(format: configuration.logFormat, recent: recent, settings: settings) {
                FileHandle.standardError.write(Data($0))
            }
        }
        logger.logLevel = settings == nil ? configuration.logLevel : .trace
        return logger
    }
}

/// Writes events as lines.
///
/// Control characters are escaped in both forms, so that nobody can forge a line.
struct LineLogHandler: LogHandler {
    let format: ServerConfiguration.LogFormat
    let recent: RecentLog?
    let write: @Sendable (Bytes) -> Void
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let settings: LiveSettings?
    private var ownLevel = Logger.Level.info
    /// The handler's own, but not below the one that is set for the server.
    var logLevel: Logger.Level {
        get { settings.map { max(ownLevel, $0.logLevel) } ?? ownLevel }
        set { ownLevel = newValue }
    }

    init(
        format: ServerConfiguration.LogFormat, recent: RecentLog? = nil, settings: LiveSettings? = nil,
        write: @escaping @Sendable (Bytes) -> Void
    ) {
        self.settings = settings
        self.format = format
        self.recent = recent
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        all.merge(metadataProvider?.get() ?? [:]) { $1 }
        all.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let date = Date()
        let time = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let pairs = all.map { ($0.key == "hb.request.id" ? "request" : $0.key, "\($0.value)") }
            .sorted { $0.0 < $1.0 }
        recent?.add(event, pairs, at: Int64(date.timeIntervalSince1970))
        switch format {
        case .json:
            let members = [("time", time), ("level", event.level.rawValue), ("message", "\(event.message)")] + pairs
            write(JSON.object(members.map { JSON.Member($0.0, .text($0.1)) }).serialized() + [0x0A])
        case .text:
            let words = [time, event.level.rawValue, "\(event.message)"] + pairs.map { "\($0.0)=\($0.1)" }
            let line = words.joined(separator: " ").unicodeScalars.map { scalar in
                scalar.value < 0x20 || scalar.value == 0x7F ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
            write(Bytes(text: line.joined()) + [0x0A])
        }
    }
}
