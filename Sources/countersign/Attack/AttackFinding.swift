import Encodings

/// What one attack came to.
struct AttackFinding: Codable, Sendable, Equatable {
    enum Result: String, Codable, Sendable {
        /// It ended as it should.
        case right
        /// It ended wrong: the attack succeeded, or what should work did not.
        case wrong
        /// It could not tell.
        case unknown
        /// It shows only inside the installation, and does not count.
        case inside
        /// It needs version 1, which the service does not speak, and does not count.
        case notOffered = "not_offered"

        /// Whether it counts.
        var isTried: Bool { self != .inside && self != .notOffered }

        /// As the table names it.
        var shown: String {
            switch self {
            case .inside: "-"
            case .notOffered: "not offered"
            case .right, .wrong, .unknown: rawValue
            }
        }
    }

    /// The number of the case in docs/approvals.md, or `b` and the number of a mitigation of BCP 247.
    let id: String
    /// What was tried.
    let name: String
    let result: Result
    /// What happened, if there is more to say.
    var detail: String?
}

/// All that was found.
struct AttackReport: Codable, Sendable {
    let server: String
    let findings: [AttackFinding]
    /// How many ended right.
    let right: Int
    /// How many were tried.
    let tried: Int

    init(server: String, findings: [AttackFinding]) {
        self.server = server
        self.findings = findings
        right = findings.count { $0.result == .right }
        tried = findings.count { $0.result.isTried }
    }

    /// 1 if an attack ended wrong, 2 if it could not tell, else 0.
    ///
    /// To offer less is no weakness: cases that are not offered leave it 0.
    var exitCode: Int32 {
        if findings.contains(where: { $0.result == .wrong }) { return 1 }
        return findings.contains { $0.result == .unknown } ? 2 : 0
    }

    /// A table, and the score below it.
    func show() {
        Output.table(
            ["CASE", "RESULT", "WHAT WAS TRIED"],
            findings.map { finding in
                [
                    finding.id, finding.result.shown,
                    finding.name + (finding.detail.map { ": \(Bytes(text: $0).shown)" } ?? ""),
                ]
            })
        Output.line()
        Output.line("\(right) of \(tried) ended right.")
        let left = findings.count { $0.result == .notOffered }
        if left > 0 { Output.line("\(left) were not tried: \(AttackTrouble.originalOff.words).") }
    }
}

/// What an attack says of itself.
enum AttackVerdict {
    case right(String?)
    case wrong(String)
    case unknown(String)
    case inside(String)

    static let right = AttackVerdict.right(nil)

    fileprivate var parts: (AttackFinding.Result, String?) {
        switch self {
        case .right(let detail): (.right, detail)
        case .wrong(let detail): (.wrong, detail)
        case .unknown(let detail): (.unknown, detail)
        case .inside(let detail): (.inside, detail)
        }
    }
}

/// Why an attack could not go on.
struct AttackTrouble: Error, Equatable {
    let words: String

    /// No administrator has let the service speak version 1.
    static let originalOff = AttackTrouble(words: "the service does not speak version 1")
}

extension AttackFinding {
    /// Tries something; an error is not knowing.
    static func trying(
        _ id: String, _ name: String, _ attack: () async throws -> AttackVerdict
    ) async -> AttackFinding {
        let verdict: AttackVerdict
        do {
            verdict = try await attack()
        } catch let trouble as AttackTrouble {
            verdict = .unknown(trouble.words)
        } catch {
            verdict = .unknown("\(error)")
        }
        let (result, detail) = verdict.parts
        return AttackFinding(id: id, name: name, result: result, detail: detail)
    }
}
