public import Encodings

extension ApprovalChallenge {
    /// The bytes that the server signs, and that every answer contains.
    public func statement() -> Bytes {
        let length = fields.reduce(0) { $0 + 40 + ($1.text?.count ?? 0) }
        var writer = BencodeWriter(capacity: 1_024 + length + replyURL.count + 36 * approvers.count)
        writer.beginDictionary()
        writer.text("action")
        writer.text(action.name)
        writer.text("alg")
        writer.text(ApprovalStatement.algorithm)
        writer.text("approvers")
        writer.beginList()
        for approver in approvers { writer.string(approver) }
        writer.end()
        writer.text("created")
        writer.integer(created)
        writer.text("expires")
        writer.integer(expires)
        writer.text("fields")
        writer.beginList()
        for field in fields { field.write(to: &writer) }
        writer.end()
        writer.text("id")
        writer.string(id)
        writer.text("key")
        writer.string(serverKey.x963)
        writer.text("kind")
        writer.text("challenge")
        match?.write(to: &writer)
        writer.text("need")
        writer.integer(Int64(need))
        writer.text("nonce")
        writer.string(nonce)
        writer.text("renderer")
        writer.text(ApprovalRendering.version)
        writer.text("reply")
        writer.string(replyURL)
        service.write(to: &writer)
        writer.end()
        return ApprovalStatement.server(writer.bytes)
    }

    /// Reads a statement that has the label of a server and is a challenge.
    ///
    /// - Throws: `malformed`: for another algorithm or renderer too, which a device must not answer.
    public static func parse(_ statement: Bytes) throws(ApprovalError) -> ApprovalChallenge {
        var members = try ApprovalStatement.openServer(statement, maximumLength: maximumLength)
        guard let action = try members.take("action").string.flatMap({ ApprovalAction.named($0) }) else {
            throw .malformed
        }
        try members.expect("alg", ApprovalStatement.algorithm)
        let approvers = try strings(try members.take("approvers"))
        let created = try members.integer("created")
        let expires = try members.integer("expires")
        guard let list = try members.take("fields").list, list.count <= maximumFields else { throw .malformed }
        var fields: [DisplayField] = []
        for field in list { fields.append(try DisplayField(field)) }
        let id = try members.string("id", exactly: 16)
        let serverKey = try members.key("key")
        try members.expect("kind", "challenge")
        var match: MatchRequirement?
        if let value = members.takeIf("match") { match = try MatchRequirement.read(value) }
        let need = try members.integer("need")
        let nonce = try members.string("nonce", exactly: 32)
        try members.expect("renderer", ApprovalRendering.version)
        let replyURL = try members.string("reply", 1...2_048)
        let service = try ApprovalService.read(from: &members)
        try members.finish()
        guard need >= 1, need <= Int64(maximumApprovers),
            let challenge = try? ApprovalChallenge(
                id: id, nonce: nonce, service: service, serverKey: serverKey, approvers: approvers, need: Int(need),
                action: action, fields: fields, match: match, created: created, expires: expires, replyURL: replyURL),
            challenge.approvers == approvers
        else { throw .malformed }
        return challenge
    }

    private static func strings(_ value: Bencode) throws(ApprovalError) -> [Bytes] {
        guard let list = value.list else { throw .malformed }
        var strings: [Bytes] = []
        for element in list {
            guard let string = element.string else { throw .malformed }
            strings.append(string)
        }
        return strings
    }
}
