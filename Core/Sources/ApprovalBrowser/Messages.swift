import Approvals
import BrowserCalls
import EllipticCurves
import Encodings

extension ApprovalBrowser {
    /// How messages travel: as links, and as codes that a camera reads one after the other.
    static let messages = [
        Function("read_link", ["text"], readLink),
        Function("links", [], blobs: 1...1, links),
        Function("join_parts", ["texts"], joinParts),
    ]

    /// What a message may be: the first element of its list.
    private static let kinds: [StaticString] = ["challenge", "offer", "answer", "enrolment", "receipt"]

    /// `{text}`, a whole message as a link → `{kind}` and the message as a blob.
    private static func readLink(_ call: Call) throws(BrowserError) -> Answer {
        do throws(ApprovalError) {
            let message = try ApprovalLink.parse(try longText(call))
            return Answer([("kind", .literal(try kind(of: message)))], blobs: [message])
        } catch {
            throw BrowserError("not_a_link", "This is no link of an approval.")
        }
    }

    /// A message as a blob → `{links}`: one, or parts to show one after the other.
    private static func links(_ call: Call) throws(BrowserError) -> Answer {
        let message = call.blobs[0]
        var links: [JSON] = []
        if message.count <= ApprovalLink.maximumWhole {
            links.append(.string(ApprovalLink.encode(message)))
        } else {
            do throws(ApprovalError) {
                for part in try ApprovalPart.parts(of: message, suite: PureSuite()) {
                    links.append(.string(part.encoded()))
                }
            } catch {
                throw BrowserError("too_large", "The message is longer than allowed.")
            }
        }
        return Answer([("links", .array(links))])
    }

    /// `{texts}`, the parts that were read so far, in any order → `{received, expected}`, and the message as a blob with
    /// its `kind` when all are there.
    ///
    /// What is no part of the first one's message is passed over.
    private static func joinParts(_ call: Call) throws(BrowserError) -> Answer {
        var parts = PartCollector()
        for text in try call.texts("texts", maximumCount: ApprovalPart.maximumCount * 2) {
            do throws(PartError) {
                guard let message = try parts.add(text, suite: PureSuite()) else { continue }
                do throws(ApprovalError) {
                    return Answer(
                        [
                            ("received", .integer(Int64(parts.received))),
                            ("expected", .integer(Int64(parts.received))),
                            ("kind", .literal(try kind(of: message))),
                        ], blobs: [message])
                } catch {
                    throw PartError.damaged
                }
            } catch .damaged {
                throw BrowserError("damaged", "The parts do not make a message. Scan them again.")
            } catch {
                continue
            }
        }
        return Answer([
            ("received", .integer(Int64(parts.received))),
            ("expected", parts.expected.map { .integer(Int64($0)) } ?? .null),
        ])
    }

    private static func kind(of message: Bytes) throws(ApprovalError) -> StaticString {
        guard
            let value = try? Bencode.parse(
                message, maximumLength: ApprovalLink.maximumMessage, maximumDepth: 3, maximumCount: 256),
            let name = value.list?.first?.string, let kind = kinds.first(where: { name.equals($0) })
        else { throw .malformed }
        return kind
    }

    private static func longText(_ call: Call) throws(ApprovalError) -> Bytes {
        do throws(BrowserError) {
            return try call.text("text", maximum: (ApprovalLink.maximumMessage + 2) / 3 * 4 + 32)
        } catch {
            throw .malformed
        }
    }
}
