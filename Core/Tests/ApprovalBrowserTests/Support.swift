import BrowserCalls
import Encodings
import Foundation
import Testing

@testable import ApprovalBrowser

/// What the program in Python made: the fixtures of `ApprovalsTests`.
func vectors() throws -> JSON {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../ApprovalsTests/Fixtures/approvals.json")
    return try JSON.parse(Bytes(Data(contentsOf: file)), maximumLength: 1 << 23, maximumCount: 1 << 18)
}

/// One call, as a page makes it: the value, and the blobs of the answer.
func call(
    _ name: String, _ arguments: [(String, JSON)] = [], _ blobs: [Bytes] = []
) throws -> (value: JSON, blobs: [Bytes]) {
    let frames = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()] + blobs)
    let parts = try #require(Frames.split(ApprovalBrowser.answer(frames)))
    let value = try JSON.parse(parts[1], maximumLength: 1 << 20, maximumCount: 1 << 14)
    guard parts[0] == [0] else { throw Refused(code: String(decoding: value["code"]?.string ?? [], as: UTF8.self)) }
    return (value, Array(parts.dropFirst(2)))
}

/// What the module refused, by its code.
struct Refused: Error, Equatable {
    let code: String
}

/// The code with which a call is refused; `nil` when it is answered.
func refusal(_ body: () throws -> Void) throws -> String? {
    do {
        try body()
        return nil
    } catch let error as Refused {
        return error.code
    }
}

extension JSON {
    func hex(_ name: StaticString) throws -> Bytes { try #require(Hex.decode(try text(name))) }

    func text(_ name: StaticString) throws -> Bytes { try #require(self[name]?.string) }

    func list(_ name: StaticString) throws -> [JSON] { try #require(self[name]?.array) }

    /// Hexadecimal digits as base64url.
    func base64(_ name: StaticString) throws -> JSON { .base64URL(try hex(name)) }
}

/// The lines of an answer, each as label and text.
func shown(_ value: JSON) throws -> [[JSON]] {
    try value.list("lines").map { [.string(try $0.text("label")), .string(try $0.text("text"))] }
}
