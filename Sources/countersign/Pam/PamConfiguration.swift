import Encodings
import Foundation
import Pico
import Wallet

/// How people sign in to this machine: the file `config.json`.
struct PamConfiguration: Equatable {
    /// What a wallet shows.
    var name: String
    /// The rendezvous point.
    var channel: String
    /// How long a code counts, in seconds.
    var lifetime = 60
    /// Whether a session is open only while the wallet answers.
    var continuous = false
    /// How often it has to answer, in seconds.
    var interval = 10
    /// What locks a session, and what unlocks it: a program and its arguments.
    var lock = ["/usr/bin/loginctl", "lock-session", "{session}"]
    var unlock = ["/usr/bin/loginctl", "unlock-session", "{session}"]
    /// Whether users without a wallet are passed over at once, which tells who has one.
    var skipsUnpaired = false
    /// Whether terminals have dark letters on a light ground.
    var lightTerminal = false

    static let lifetimes = 5...300
    static let intervals = 1...3_600

    /// The file as JSON, a member a line, for people who change it.
    var file: Bytes {
        let members: [(String, JSON)] = [
            ("name", .text(name)), ("channel", .text(channel)), ("lifetime", .integer(Int64(lifetime))),
            ("continuous", .bool(continuous)), ("interval", .integer(Int64(interval))),
            ("lock", .array(lock.map { .text($0) })), ("unlock", .array(unlock.map { .text($0) })),
            ("skip_unpaired", .bool(skipsUnpaired)), ("light_terminal", .bool(lightTerminal)),
        ]
        let lines = members.map { "    \"\($0.0)\": \($0.1.serialized().text)" }
        return Bytes(text: "{\n" + lines.joined(separator: ",\n") + "\n}\n")
    }

    init(name: String, channel: String) {
        self.name = name
        self.channel = channel
    }

    /// Reads the file: a member that is unknown, missing or out of its range is a mistake.
    init(file: Bytes) throws(CommandError) {
        guard let members = (try? JSON.parse(file))?.members else { throw CommandError("it is not a JSON object") }
        self.init(name: "", channel: "")
        for member in members {
            let (name, value) = (member.name.text, member.value)
            guard try set(name, value) else {
                throw CommandError("'\(member.name.shown)' has a value that is not allowed")
            }
        }
        guard !name.isEmpty, !channel.isEmpty else { throw CommandError("'name' and 'channel' are needed") }
    }

    private mutating func set(_ member: String, _ value: JSON) throws(CommandError) -> Bool {
        switch member {
        case "name": Self.set(&name, value.string.map(\.text)) { (1...256).contains($0.utf8.count) }
        case "channel":
            Self.set(&channel, value.string.map(\.text)) {
                !$0.contains("/channel/") && (try? PicoService.address($0)) != nil
            }
        case "lifetime": Self.set(&lifetime, value.integer.map(Int.init), Self.lifetimes.contains)
        case "interval": Self.set(&interval, value.integer.map(Int.init), Self.intervals.contains)
        case "continuous": Self.set(&continuous, value.bool)
        case "skip_unpaired": Self.set(&skipsUnpaired, value.bool)
        case "light_terminal": Self.set(&lightTerminal, value.bool)
        case "lock": Self.set(&lock, Self.command(value), PamHook.isCommand)
        case "unlock": Self.set(&unlock, Self.command(value), PamHook.isCommand)
        default: throw CommandError("'\(Bytes(text: member).shown)' is not a setting")
        }
    }

    private static func set<Value>(
        _ target: inout Value, _ value: Value?, _ isGood: (Value) -> Bool = { _ in true }
    ) -> Bool {
        guard let value, isGood(value) else { return false }
        target = value
        return true
    }

    private static func command(_ value: JSON) -> [String]? {
        guard let array = value.array else { return nil }
        let words = array.compactMap { $0.string?.text }
        return words.count == array.count ? words : nil
    }
}
