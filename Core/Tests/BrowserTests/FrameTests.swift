import Encodings
import Testing

@testable import Browser
@testable import BrowserCalls

@Suite("Frames")
struct FrameTests {
    /// Status, and the JSON behind it.
    private func answer(_ input: Bytes) throws -> (status: Bytes, value: JSON, blobs: [Bytes]) {
        let parts = try #require(Frames.split(Browser.answer(input)))
        try #require(parts.count >= 2)
        return (parts[0], try JSON.parse(parts[1]), Array(parts.dropFirst(2)))
    }

    private func refusal(_ input: Bytes) throws -> String {
        let answer = try answer(input)
        #expect(answer.status == [1])
        #expect(answer.value["message"]?.string?.isEmpty == false)
        return string(try #require(answer.value["code"]?.string))
    }

    private func call(_ name: String, _ arguments: String = "{}", _ blobs: [Bytes] = []) -> Bytes {
        Frames.joined([Bytes(text: name), Bytes(text: arguments)] + blobs)
    }

    @Test("carry a call in and its answer out")
    func whole() throws {
        let answer = try answer(call("sha256", " {} ", [Bytes(text: "abc")]))
        #expect(answer.status == [0])
        #expect(answer.value["digest"] == .text("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"))
        #expect(answer.blobs.isEmpty)
    }

    @Test("give blobs behind the value, empty ones too")
    func blobs() throws {
        #expect(Frames.split(Frames.joined([[], [1, 2], []])) == [[], [1, 2], []])
        #expect(Frames.joined([[7]]) == [1, 0, 0, 0, 7])
        #expect(Frames.split([]) == [])
        let empty = try answer(call("sha256", "{}", [[]]))
        #expect(empty.value["digest"] == .text("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"))
    }

    @Test("are refused when they are cut, wherever that is")
    func truncated() throws {
        let whole = call("sha256", "{}", [Bytes(text: "abc")])
        let behindArguments = call("sha256", "{}").count
        for length in 0..<whole.count {
            let expected = length == behindArguments ? "missing_blob" : "malformed_frames"
            #expect(try refusal(Array(whole[0..<length])) == expected, "at \(length)")
        }
        #expect(try refusal(whole + [0]) == "malformed_frames")
    }

    @Test("are refused with lengths that no memory holds, and with too many parts")
    func lengths() throws {
        for high: UInt8 in [0x01, 0x7F, 0x80, 0xFF] {
            #expect(Frames.split([0xFF, 0xFF, 0xFF, high, 0]) == nil)
            #expect(try refusal(call("sha256") + [0xFC, 0xFF, 0xFF, high, 0]) == "malformed_frames")
        }
        #expect(try refusal(call("sha256", "{}", [Bytes](repeating: [], count: 5))) == "malformed_frames")
        #expect(try refusal(call("sha256", "{}", [Bytes](repeating: [], count: 4))) == "too_many_blobs")
    }

    @Test("are refused when a part is too large")
    func tooLarge() throws {
        let blob = Bytes(repeating: 0, count: 16 << 20)
        #expect(try answer(call("sha256", "{}", [blob])).status == [0])
        #expect(try refusal(call("sha256", "{}", [blob + [0]])) == "too_large")
        #expect(try refusal(call("sha256", "{}", [blob, blob, blob])) == "too_large")
        let padding = String(repeating: " ", count: 3 << 20)
        #expect(try refusal(call("sha256", "{}" + padding, [[]])) == "too_large")
    }

    @Test("are refused with arguments that are no object", arguments: ["", "{", "{\"a\":1,\"a\":2}", "{} {}", "\u{1}"])
    func notJSON(arguments: String) throws {
        #expect(try refusal(call("sha256", arguments, [[]])) == "not_json")
    }

    @Test("are refused with arguments of another kind", arguments: ["[]", "null", "1", "\"text\""])
    func notObject(arguments: String) throws {
        #expect(try refusal(call("sha256", arguments, [[]])) == "wrong_type")
    }

    @Test(
        "are refused for functions that there are not",
        arguments: ["", "nothing", "sha25", "sha256 ", "Sha256", "\u{0}"])
    func unknown(name: String) throws {
        #expect(try refusal(call(name)) == "unknown_function")
    }
}
