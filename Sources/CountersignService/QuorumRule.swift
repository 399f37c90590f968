import Approvals
import Encodings

/// How many people have to approve, by amount: the service's own copy of what its administrator has set.
///
/// ```swift
/// guard let rule = QuorumRule("GBP 0:1 100000:2") else { … }
/// let receipt = try await client.receipt(asked.id, meeting: rule)
/// ```
public struct QuorumRule: Equatable, Sendable {
    let inCore: Approvals.QuorumRule

    /// A rule in one line: the currency, and steps of an amount in its smallest unit and how many are needed from it
    /// on.
    ///
    /// - Returns: `nil` unless the first step begins at 0, and each has a larger amount and more people, 16 at most,
    ///   than the one before.
    public init?(_ line: String) {
        guard let rule = Approvals.QuorumRule(text: Bytes(text: line)) else { return nil }
        inCore = rule
    }

    /// The rule in one line.
    public var text: String { String(decoding: inCore.text, as: UTF8.self) }
}
