import Encodings
import Foundation
import Testing

@testable import Wallet
@testable import countersign

/// What the helper reads from the module, and the settings.
@Suite("The helper of the PAM module")
struct PamRequestTests {
    private static func read(_ bytes: Bytes) -> PamRequest? {
        var left = bytes[...]
        return PamRequest { count in
            guard left.count >= count else { return nil }
            defer { left = left.dropFirst(count) }
            return Array(left.prefix(count))
        }
    }

    private static func frames(_ list: [(Character, String)]) -> Bytes {
        list.flatMap { PamFrame.encode($0.0.asciiValue ?? 0, $0.1) }
    }

    @Test("reads what a module says")
    func good() throws {
        let request = try #require(
            Self.read(
                Self.frames([
                    ("u", "ada"), ("s", "sshd"), ("t", "ssh"), ("h", "192.0.2.1"), ("m", "once"), ("m", "prompt"),
                    ("x", "c7"), ("p", "4711"), ("A", ""),
                ])))
        #expect(request.verb == .authenticate && request.user == Bytes(text: "ada") && request.session == "c7")
        #expect(request.modes == [.once, .prompt] && request.process == 4711)
        // A name that logind would never give goes to no program that locks.
        #expect(try #require(Self.read(Self.frames([("x", "--all"), ("O", "")]))).session == nil)
    }

    @Test("refuses everything else")
    func bad() {
        let long = String(repeating: "a", count: 256)
        let bad: [[(Character, String)]] = [
            [], [("u", "ada")], [("u", "ada"), ("u", "root"), ("A", "")], [("u", long), ("A", "")],
            [("u", "a\0b"), ("A", "")], [("q", "?"), ("A", "")], [("m", "all"), ("A", "")], [("p", "0"), ("A", "")],
            [("p", "-1"), ("A", "")], [("p", "2147483648"), ("A", "")],
            Array(repeating: ("m", "once"), count: 13) + [("A", "")],
        ]
        for frames in bad { #expect(Self.read(Self.frames(frames)) == nil, "\(frames)") }
        let good = Self.frames([("u", "ada"), ("A", "")])
        for count in 0..<good.count { #expect(Self.read(Array(good.prefix(count))) == nil) }
    }

    @Test("never reads past what there is, whatever the bytes")
    func anyBytes() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...60)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = Self.read(bytes)
            _ = Self.read([0x75, 0, UInt8(bytes.count)] + bytes + [0x41, 0, 0])
        }
    }

    @Test("settings come back as they were written, and mistakes in them are found")
    func settings() throws {
        var settings = PamConfiguration(name: "Desk \"7\"", channel: "https://sign.example.edu")
        settings.continuous = true
        settings.lock = ["/usr/local/bin/lock", "{session}"]
        #expect(try PamConfiguration(file: settings.file) == settings)
        let good = #""name":"n","channel":"https://h""#
        #expect(try PamConfiguration(file: Bytes(text: "{\(good)}")).lifetime == 60)
        for bad in [
            "", "[]", "{}", #"{"name":"n"}"#, #"{"name":"","channel":"https://h"}"#,
            #"{"name":"n","channel":"ftp://h"}"#, #"{"name":"n","channel":"https://h/channel/a"}"#,
            "{\(good),\"lifetime\":4}", "{\(good),\"lifetime\":301}", "{\(good),\"lifetime\":\"60\"}",
            "{\(good),\"continuous\":1}", "{\(good),\"lock\":[]}", "{\(good),\"lock\":[\"loginctl\"]}",
            "{\(good),\"lock\":[\"/bin/a\",1]}", "{\(good),\"lokc\":[\"/bin/a\"]}", "{\(good),\(good)}",
        ] {
            #expect(throws: CommandError.self, "\(bad)") { try PamConfiguration(file: Bytes(text: bad)) }
        }
    }

    @Test("a hook names a program, and one that names the session needs one")
    func hooks() {
        for bad in [[], ["loginctl"], ["/a", ""], ["/a\0b"], Array(repeating: "/a", count: 17)] {
            #expect(!PamHook.isCommand(bad))
        }
        let place = PamHook.Place(user: "ada", service: "sshd", terminal: "ssh", session: "")
        #expect(!PamHook(command: ["/usr/bin/loginctl", "lock-session", "{session}"]).works(for: place))
        #expect(PamHook(command: ["/usr/local/bin/lock", "{user}"]).works(for: place))
    }

    @Test("a process is not taken for another one with its number")
    func processes() {
        #expect(PamProcess(getpid())?.isRunning == true)
        #expect(PamProcess(Int32.max) == nil)
    }
}
