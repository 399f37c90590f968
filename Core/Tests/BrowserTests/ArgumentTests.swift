import Encodings
import Testing

@testable import Browser
@testable import BrowserCalls

/// The rules for every function, tried with a good call of each.
@Suite("Arguments")
struct ArgumentTests {
    /// Members that may be absent.
    private static let optional: [String: [String]] = [
        "anchor": ["typed"], "qr": ["level"], "receipt": ["type", "members"],
        "verify": ["log_key", "audience", "any_audience", "nonce", "maximum_age", "live_status"],
        "present": ["fields", "with_document", "lifetime"], "present_finish": ["status", "receipt"],
        "draft": ["expires"],
        "administrator_certificate": ["duration"],
    ]

    @Test("have a good call for every function")
    func complete() throws {
        // Reports anything that stops the making of the calls.
        _ = try GoodCalls()
        let names = Browser.functions.map { $0.name.description }
        #expect(Set(names).count == names.count)
        #expect(Set(GoodCalls.all.map { $0.name }) == Set(names))
    }

    @Test("are accepted when they are good", arguments: GoodCalls.all)
    func good(call: TestCall) throws {
        _ = try call.answer()
    }

    @Test("are refused when a member is missing, and null counts as missing", arguments: GoodCalls.all)
    func missing(call: TestCall) throws {
        for (member, _) in call.arguments {
            let isOptional = Self.optional[call.name]?.contains(member) ?? false
            for value in [nil, JSON.null] {
                let found = refusal(call.with(member, value))
                if isOptional {
                    #expect(found == nil, "\(call.name) without \(member)")
                } else {
                    #expect(found == "missing_member", "\(call.name) without \(member)")
                }
            }
        }
    }

    private static let others: [JSON] = [
        .bool(true), .integer(-1), .decimal(Bytes(text: "1.5")), .array([.bool(true)]), .object([]),
    ]

    @Test("are refused when a member is of another kind", arguments: GoodCalls.all)
    func wrongKind(call: TestCall) throws {
        for (member, good) in call.arguments {
            for bad in Self.others {
                // An object is a good kind of object, and `validate` reports what is in it.
                if case (.object, .object) = (good, bad), ["fields", "members", "payload"].contains(member) {
                    continue
                }
                if case (.bool, .bool) = (good, bad) { continue }
                let found = refusal(call.with(member, bad))
                #expect(
                    found == "wrong_type" || found == "document_malformed", "\(call.name) with \(member) as \(bad)")
            }
        }
    }

    @Test("are refused when a text is too long or not base64url", arguments: GoodCalls.all)
    func badTexts(call: TestCall) throws {
        for (member, good) in call.arguments {
            guard case .string = good else { continue }
            let long = JSON.string(Bytes(repeating: 0x61, count: (1 << 19) + 1))
            #expect(refusal(call.with(member, long)) == "too_large", "\(call.name) with a long \(member)")
            #expect(
                refusal(call.with(member, .text("%"))) != nil || Self.takesAnyText.contains(member),
                "\(call.name) with a bad \(member)")
        }
    }

    /// Members that are words for people, or that are compared with others later.
    private static let takesAnyText = [
        "text", "audience", "nonce", "name", "server", "enrolment", "pairing", "issuer", "issuer_name", "receipt",
        "typed",
    ]

    @Test("are refused with a member that the function does not know", arguments: GoodCalls.all)
    func unknown(call: TestCall) throws {
        #expect(refusal(call.with("surprise", .null)) == "unknown_member")
        #expect(refusal(call.with(String(repeating: "x", count: 100_000), .integer(1))) == "unknown_member")
    }

    @Test("are refused with a blob too few or too many", arguments: GoodCalls.all)
    func blobs(call: TestCall) throws {
        let function = try #require(Browser.functions.first { $0.name.description == call.name })
        var more = call
        while more.blobs.count <= function.blobs.upperBound { more.blobs.append([]) }
        #expect(refusal(more) == "too_many_blobs")
        guard function.blobs.lowerBound > 0 else { return }
        var fewer = call
        fewer.blobs = Array(call.blobs.prefix(function.blobs.lowerBound - 1))
        #expect(refusal(fewer) == "missing_blob")
    }

    @Test("never stop the module, whatever a blob holds", arguments: GoodCalls.all)
    func damagedBlobs(call: TestCall) throws {
        for index in call.blobs.indices {
            let blob = call.blobs[index]
            for position in stride(from: 0, to: blob.count, by: max(1, blob.count / 8)) {
                var damaged = call
                damaged.blobs[index][position] ^= 0x55
                _ = refusal(damaged)
                damaged.blobs[index] = Array(blob[0..<position])
                _ = refusal(damaged)
            }
        }
    }
}

extension TestCall: CustomTestStringConvertible {
    var testDescription: String { name }
}
