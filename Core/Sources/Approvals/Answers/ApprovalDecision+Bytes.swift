import Encodings

extension ApprovalDecision {
    /// What a signature over this decision is for.
    var label: ApprovalLabel {
        switch self {
        case .allow: .allow
        case .deny: .deny
        }
    }

    /// Whether an allowance has a code exactly when one is asked for; a denial never needs one.
    func fits(_ match: MatchRequirement?) -> Bool {
        guard case .allow(let code) = self else { return true }
        guard let code else { return match == nil }
        return code.count == match?.digits && code.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The dictionary that is signed.
    ///
    /// - Parameter shown: the hash of the lines that were shown.
    func dictionary(shown: Bytes) -> Bytes {
        var writer = BencodeWriter(capacity: 128)
        writer.beginDictionary()
        writer.text("alg")
        writer.text(ApprovalStatement.algorithm)
        switch self {
        case .allow(let code):
            if let code {
                writer.text("code")
                writer.string(code)
            }
        case .deny(let reason, let scope):
            writer.text("reason")
            writer.text(reason.name)
            writer.text("scope")
            writer.text(scope.name)
        }
        writer.text("shown")
        writer.string(shown)
        writer.end()
        return writer.bytes
    }

    /// Reads the dictionary of an allowance or a denial.
    static func read(_ label: Bytes, _ value: Bencode) throws(ApprovalError) -> (ApprovalDecision, shown: Bytes) {
        var members = try MemberReader(value)
        try members.expect("alg", ApprovalStatement.algorithm)
        let decision: ApprovalDecision
        if label.equals(allowName) {
            var code: Bytes?
            if let value = members.takeIf("code") {
                guard let digits = value.string, digits.count >= 2, digits.count <= 12 else { throw .malformed }
                code = digits
            }
            decision = .allow(code: code)
        } else if label.equals(denyName) {
            let reasonName = try members.string("reason", 1...32)
            let scopeName = try members.string("scope", 1...32)
            guard let reason = DenialReason.all.first(where: { reasonName.equals($0.name) }),
                let scope = DenialScope.all.first(where: { scopeName.equals($0.name) })
            else { throw .malformed }
            decision = .deny(reason, scope)
        } else {
            throw .malformed
        }
        let shown = try members.string("shown", exactly: 32)
        try members.finish()
        return (decision, shown)
    }

    /// The name of the decision in messages and outcomes.
    var name: StaticString {
        switch self {
        case .allow: Self.allowName
        case .deny: Self.denyName
        }
    }

    private static let allowName: StaticString = "allow"
    private static let denyName: StaticString = "deny"
}
