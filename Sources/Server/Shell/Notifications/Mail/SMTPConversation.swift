import Encodings
import NIOCore

/// Commands and replies over one connection (RFC 5321 section 4).
struct SMTPConversation {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var waiting = Bytes()

    /// Most bytes of one reply: servers say a dozen lines of at most 512.
    private static let longest = 16_384

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
        (self.inbound, self.outbound) = (inbound.makeAsyncIterator(), outbound)
    }

    /// One reply: a number of three digits, with the text of each of its lines.
    struct Reply: Sendable, Equatable {
        let code: Int
        let lines: [String]

        /// The number and the first line, for the log.
        var words: String { "\(code) \(lines.first ?? "")" }
    }

    /// Whether the server has said something that nobody has asked for.
    ///
    /// Before TLS begins, somebody on the way may have put that in.
    var hasUnread: Bool { !waiting.isEmpty }

    /// Sends a command and reads its reply.
    ///
    /// - Parameter command: one line, without its end.
    mutating func ask(_ command: String) async throws -> Reply {
        guard !command.utf8.contains(0x0A), !command.utf8.contains(0x0D) else {
            throw MailFailure.refused("a command is one line")
        }
        try await outbound.write(ByteBuffer(string: command + "\r\n"))
        return try await reply()
    }

    /// Sends what a message consists of, with its end, and reads the reply.
    mutating func send(_ message: Bytes) async throws -> Reply {
        try await outbound.write(ByteBuffer(bytes: Self.stuffed(message) + Bytes(text: ".\r\n")))
        return try await reply()
    }

    /// Reads a reply of one or more lines.
    mutating func reply() async throws -> Reply {
        var lines: [String] = []
        var length = 0
        while true {
            let line = try await self.line()
            length += line.count
            let code = line.prefix(3)
            guard length <= Self.longest, code.count == 3, code.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(String(decoding: code, as: UTF8.self))
            else { throw MailFailure.later("the mail server's reply cannot be read") }
            lines.append(String(decoding: line.dropFirst(4).filter { (0x20...0x7E).contains($0) }, as: UTF8.self))
            guard line.count > 3, line[3] == 0x2D else { return Reply(code: number, lines: lines) }
        }
    }

    private mutating func line() async throws -> Bytes {
        while true {
            if let end = waiting.firstIndex(of: 0x0A) {
                let line = Bytes(waiting[..<end].filter { $0 != 0x0D })
                waiting = Bytes(waiting[(end + 1)...])
                return line
            }
            guard waiting.count <= Self.longest else { throw MailFailure.later("the mail server says too much") }
            guard let more = try await inbound.next() else { throw MailFailure.later("the mail server hung up") }
            waiting += more.readableBytesView
        }
    }

    /// The message with a second dot before each line that begins with one (RFC 5321 section 4.5.2).
    static func stuffed(_ message: Bytes) -> Bytes {
        var result = Bytes()
        var isStart = true
        for byte in message {
            if isStart, byte == 0x2E { result.append(byte) }
            result.append(byte)
            isStart = byte == 0x0A
        }
        return result
    }
}
