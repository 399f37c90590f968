import Approvals
import CryptoProvider
import Encodings
import Interface
import Wallet

/// Attacks on the enrolment of apps: cases 10 to 15, 20 and 24.
struct EnrolmentAttacks: Sendable {
    let stage: AttackStage
    private var site: AttackSite { stage.site }
    /// Begun first, and answered after its time.
    let late: AttackSite.Challenge

    func run() async -> [AttackFinding] {
        [
            await .trying(.used, used),
            await .trying(.stranger, stranger),
            await .trying(.kinds, kinds),
            await .trying(.echo, echo),
            await .trying(.path, path),
            await .trying(.twice, twice),
            await .trying(.unasked, unasked),
        ]
    }

    /// Does something with an enrolment, and ends it.
    private func within(
        _ user: String, _ body: (String, AttackSite.Challenge) async throws -> AttackVerdict
    ) async throws -> AttackVerdict {
        let begun = try await site.begin(user)
        let verdict = try await body(begun.id, begun.challenge)
        try await site.end(begun.id)
        return verdict
    }

    private func used() async throws -> AttackVerdict {
        try await within(stage.alice) { _, challenge in
            guard try await site.callback(try stage.app.reply(challenge.fields)).isSuccess else {
                return .unknown("the first device could not answer")
            }
            let second = try await site.callback(try AttackApp().reply(challenge.fields))
            return second.isSuccess ? .wrong("the second one was accepted, too") : .right
        }
    }

    private func stranger() async throws -> AttackVerdict {
        try await within(stage.alice) { id, challenge in
            _ = try await site.callback(try AttackApp().reply(challenge.fields))
            _ = try await site.callback(try stage.app.reply(challenge.fields))
            var state = try await site.enrolment(id)
            if state.state == "taken" {
                let second = try AttackSite.Challenge(link: state.link)
                _ = try await site.callback(try stage.app.reply(second.fields))
                state = try await site.enrolment(id)
            }
            return ["completed", "proven"].contains(state.state) ? .wrong("the account has the stranger's key") : .right
        }
    }

    /// The last of all: by then the time is over.
    func lateReply() async throws -> AttackVerdict {
        try await site.callback(try AttackApp().reply(late.fields)).isSuccess
            ? .wrong("it was accepted after its time") : .right
    }

    private func kinds() async throws -> AttackVerdict {
        try await within(stage.alice) { _, challenge in
            var accepted: [String] = []
            for kind in WeakKey.allCases {
                let (pem, signature) = try kind.sign(challenge.fields.canonical())
                let changes = [("publickey", JSON.string(pem)), ("signature", JSON.string(Hex.encode(signature)))]
                if try await site.callback(try AttackApp().reply(challenge.fields, changes)).isSuccess {
                    accepted.append(kind.rawValue)
                }
            }
            return accepted.isEmpty ? .right : .wrong("accepted: \(accepted.joined(separator: ", "))")
        }
    }

    private func echo() async throws -> AttackVerdict {
        guard let pem = try await site.call("GET", "/api/service").json?.text("original_key") else {
            return .unknown("the server does not say its key")
        }
        return try await with(key: pem, "its own key was enrolled")
    }

    private func path() async throws -> AttackVerdict {
        for path in ["file://../srv-keys/mykey.pub", "file://srv-keys/mykey.pub", "file:///etc/passwd"] {
            if case .wrong(let why) = try await with(key: path, "it read a file of its own: \(path)") {
                return .wrong(why)
            }
        }
        return .right
    }

    /// Sends a key, and the signature that the server itself has made.
    private func with(key: String, _ fault: String) async throws -> AttackVerdict {
        try await within(stage.alice) { _, challenge in
            let echo = JSON.string(Hex.encode(challenge.signature))
            for changes in [[("publickey", JSON.text(key)), ("signature", echo)], [("publickey", JSON.text(key))]] {
                if try await site.callback(try AttackApp().reply(challenge.fields, changes)).isSuccess {
                    return .wrong(fault)
                }
            }
            return .right
        }
    }

    /// The wallet's list is the only place where an app's key is seen from outside.
    private func twice() async throws -> AttackVerdict {
        guard let member = stage.member else {
            return .inside("only a wallet lists the apps: name one with --wallet")
        }
        _ = try await AttackStage.enrol(
            stage.app.with(token: String(repeating: "cd", count: 32)), stage.alice, site, member)
        let key = stage.app.key.publicKey.x963.base64URL
        let count = try await member.client.approvalDevices().count { $0.publicKey == key }
        return switch count {
        case 0: .unknown("the wallet does not list the app")
        case 1: .right
        default: .wrong("the wallet lists it \(count) times")
        }
    }

    private func unasked() async throws -> AttackVerdict {
        guard stage.asksWallet else { return .wrong("an app is enrolled without the word of another device") }
        return .right
    }
}
