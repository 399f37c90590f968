public import Encodings

extension LogPolicy {
    /// Reads the text of a policy, which need not name a log.
    ///
    /// - Throws: `malformedPolicy`, `tooLarge`, or what is wrong with a key.
    public static func parse(_ text: Bytes) throws(TransparencyError) -> LogPolicy {
        guard text.count <= maximumLength else { throw .tooLarge }
        guard text.last == 0x0A, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A }) else {
            throw .malformedPolicy
        }
        var reader = PolicyReader()
        for line in Array(text.dropLast()).split(at: 0x0A) { try reader.take(line) }
        return try reader.policy()
    }
}

/// The lines of a policy, one after the other: each may name only what came before it.
private struct PolicyReader {
    private struct Name {
        let text: Bytes
        let term: LogPolicy.Term
        /// In a group already: nothing counts in two ways.
        var isMember = false
    }

    private var logs: [LogPolicy.Log] = []
    private var witnesses: [LogPolicy.Witness] = []
    private var groups = 0
    private var names: [Name] = []
    private var quorum: LogPolicy.Term??

    mutating func take(_ line: Bytes) throws(TransparencyError) {
        let items = Self.items(of: line)
        guard let first = items.first, first.first != 0x23 else { return }
        let rest = Array(items.dropFirst())
        if first.equals(text: "log") {
            try takeLog(rest)
        } else if first.equals(text: "witness") {
            try takeWitness(rest)
        } else if first.equals(text: "group") {
            try takeGroup(rest)
        } else if first.equals(text: "quorum") {
            try takeQuorum(rest)
        } else {
            throw .malformedPolicy
        }
    }

    func policy() throws(TransparencyError) -> LogPolicy {
        guard let quorum else { throw .malformedPolicy }
        return LogPolicy(logs: logs, witnesses: witnesses, quorum: quorum)
    }

    private mutating func takeLog(_ items: [Bytes]) throws(TransparencyError) {
        guard (1...2).contains(items.count) else { throw .malformedPolicy }
        let key = try NoteVerifierKey.parse(items[0])
        guard key.algorithm == .ed25519 else { throw .unsupportedKey }
        guard !logs.contains(where: { $0.key.publicKey == key.publicKey }) else { throw .malformedPolicy }
        guard logs.count < LogPolicy.maximumCount else { throw .tooLarge }
        logs.append(LogPolicy.Log(key: key, url: items.count == 2 ? items[1] : nil))
    }

    private mutating func takeWitness(_ items: [Bytes]) throws(TransparencyError) {
        guard (2...3).contains(items.count) else { throw .malformedPolicy }
        let key = try NoteVerifierKey.parse(items[1])
        guard key.algorithm == .cosignature else { throw .unsupportedKey }
        guard !witnesses.contains(where: { $0.key.publicKey == key.publicKey }) else { throw .malformedPolicy }
        guard witnesses.count < LogPolicy.maximumCount else { throw .tooLarge }
        try define(items[0], .witness(key))
        witnesses.append(LogPolicy.Witness(name: items[0], key: key, url: items.count == 3 ? items[2] : nil))
    }

    private mutating func takeGroup(_ items: [Bytes]) throws(TransparencyError) {
        guard items.count >= 3 else { throw .malformedPolicy }
        guard groups < LogPolicy.maximumCount else { throw .tooLarge }
        var members: [LogPolicy.Term] = []
        for name in items.dropFirst(2) {
            guard let index = names.firstIndex(where: { $0.text == name }), !names[index].isMember else {
                throw .malformedPolicy
            }
            names[index].isMember = true
            members.append(names[index].term)
        }
        let threshold: UInt64
        if items[1].equals(text: "all") {
            threshold = UInt64(members.count)
        } else if items[1].equals(text: "any") {
            threshold = 1
        } else {
            guard let number = parseDecimal(items[1]) else { throw .malformedPolicy }
            threshold = number
        }
        guard threshold >= 1, threshold <= UInt64(members.count) else { throw .malformedPolicy }
        try define(items[0], .group(threshold: Int(threshold), members: members))
        groups += 1
    }

    private mutating func takeQuorum(_ items: [Bytes]) throws(TransparencyError) {
        guard items.count == 1, quorum == nil else { throw .malformedPolicy }
        if items[0].equals(text: "none") {
            quorum = .some(nil)
        } else {
            guard let name = names.first(where: { $0.text == items[0] }) else { throw .malformedPolicy }
            quorum = name.term
        }
    }

    private mutating func define(_ name: Bytes, _ term: LogPolicy.Term) throws(TransparencyError) {
        guard !name.equals(text: "none"), !names.contains(where: { $0.text == name }) else { throw .malformedPolicy }
        names.append(Name(text: name, term: term))
    }

    /// The parts of a line between spaces and tabs.
    private static func items(of line: Bytes) -> [Bytes] {
        var items: [Bytes] = []
        var item: Bytes = []
        for byte in line {
            if byte == 0x20 || byte == 0x09 {
                if !item.isEmpty { items.append(item) }
                item = []
            } else {
                item.append(byte)
            }
        }
        if !item.isEmpty { items.append(item) }
        return items
    }
}
