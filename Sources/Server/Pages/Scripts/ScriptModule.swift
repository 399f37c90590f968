import Encodings

/// A module of `Web/` as a function that may wait: what it imports are its parameters, and what it exports it returns.
///
/// It has what our modules use of ECMA-262's modules: named and whole imports, and exported declarations that do not change.
struct ScriptModule: Sendable {
    /// Why a module cannot be linked, which a test finds before a browser does.
    struct Mistake: Error, Equatable {
        let path: String
        let statement: String
    }

    let path: String
    /// The modules that have to run before it.
    let imports: [String]
    /// The modules that it fetches when it needs them, as far as they are named in it.
    let loads: [String]
    /// What registers it.
    let definition: Bytes

    /// - Throws: `Mistake`.
    init(path: String, source: Bytes) throws {
        let text = ScriptText(source)
        var writer = Writer(path: path, text: text)
        try writer.write()
        self.path = path
        (imports, loads) = (writer.taken.map(\.path) + writer.ran, writer.loads)
        let needs = imports.map { "\"\($0)\"" }.joined(separator: ",")
        let parameters = writer.taken.map(\.pattern).joined(separator: ",")
        let returned = writer.exports.map { $0.0 == $0.1 ? $0.0 : "\($0.0):\($0.1)" }.joined(separator: ",")
        let start = "modules.add(\"\(path)\",[\(needs)],async(\(parameters))=>{\n"
        let end = returned.isEmpty ? "});\n" : "return{\(returned)}});\n"
        definition = Bytes(text: start) + writer.body + Bytes(text: end)
    }

    /// The path that a module means by `target`.
    static func resolve(_ target: String, from path: String) -> String {
        if target.hasPrefix("/assets/") { return String(target.dropFirst(8)) }
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}

extension ScriptModule {
    private struct Writer {
        let path: String
        let text: ScriptText
        /// What is imported from which module, as a pattern.
        var taken: [(path: String, pattern: String)] = []
        /// The modules that only have to run.
        var ran: [String] = []
        var loads: [String] = []
        /// Its name for others, and its name in the module.
        var exports: [(String, String)] = []
        var body: Bytes = []

        mutating func write() throws {
            var at = 0
            for place in (text.statements + text.loads).sorted() {
                body += text.bytes[at..<place]
                at = text.loads.contains(place) ? load(place) : try statement(place)
            }
            body += text.bytes[at...]
            if let last = body.last, last != UInt8(ascii: "\n") { body.append(UInt8(ascii: "\n")) }
        }

        /// `import(` becomes a call of `Web/shell/linking.js`, with the whole path if the module names one.
        private mutating func load(_ place: Int) -> Int {
            let after = place + "import(".utf8.count
            body += Bytes(text: "modules.load(")
            guard after < text.bytes.count, isQuote(text.bytes[after]),
                let end = text.bytes[(after + 1)...].firstIndex(of: text.bytes[after])
            else { return after }
            let target = resolve(String(decoding: text.bytes[(after + 1)..<end], as: UTF8.self), from: path)
            loads.append(target)
            body += Bytes(text: "\"\(target)\"")
            return end + 1
        }

        private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

        private mutating func statement(_ place: Int) throws -> Int {
            let rest = text.bytes[place...]
            let words = rest.prefix(60).split { !$0.isNamePart }.prefix(3).map { String(decoding: $0, as: UTF8.self) }
            if words.first == "export", let kind = words.dropFirst().first {
                switch kind {
                case "const", "class", "function", "async":
                    let name = kind == "async" ? 3 : 2
                    let found = rest.prefix(120).split { !$0.isNamePart }.prefix(name + 1)
                    let isNamed = rest.dropFirst("export \(kind) ".utf8.count).first?.isNamePart ?? false
                    if found.count > name, isNamed {
                        let exported = String(decoding: found[name], as: UTF8.self)
                        exports.append((exported, exported))
                        return place + "export ".utf8.count
                    }
                default: break
                }
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw mistake(rest) }
            let parts = String(decoding: rest[..<end], as: UTF8.self).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            try whole(parts, rest)
            return text.bytes[end...].dropFirst().first == UInt8(ascii: "\n") ? end + 2 : end + 1
        }

        /// A statement that ends with a semicolon: an import, or a list of exports.
        private mutating func whole(_ statement: String, _ rest: Bytes.SubSequence) throws {
            var clause = statement[...]
            var source = ""
            if let quote = clause.last, quote == "\"" || quote == "'" {
                let quoted = clause.dropLast()
                guard let start = quoted.lastIndex(of: quote) else { throw mistake(rest) }
                source = resolve(String(quoted[quoted.index(after: start)...]), from: path)
                clause = clause[..<start]
            }
            let isImport = clause.hasPrefix("import ")
            clause = clause.dropFirst(7)
            if clause.hasSuffix(" from ") { clause = clause.dropLast(6) }
            let names = clause.hasPrefix("{") && clause.hasSuffix("}") ? try pairs(clause, rest) : nil
            switch (isImport, names, source.isEmpty) {
            case (true, let names?, false):
                let pattern = names.map { $0.0 == $0.1 ? $0.0 : "\($0.0):\($0.1)" }.joined(separator: ",")
                taken.append((source, "{\(pattern)}"))
            case (true, nil, false) where clause.hasPrefix("* as "): taken.append((source, String(clause.dropFirst(5))))
            case (true, nil, false) where clause.isEmpty: ran.append(source)
            case (false, let names?, true): exports += names.map { ($0.1, $0.0) }
            case (false, let names?, false):
                let all = "from\(taken.count)"
                taken.append((source, all))
                exports += names.map { ($0.1, "\(all).\($0.0)") }
            default: throw mistake(rest)
            }
        }

        /// `{ a, b as c }`.
        private func pairs(_ list: Substring, _ rest: Bytes.SubSequence) throws -> [(String, String)] {
            try list.dropFirst().dropLast().split(separator: ",").compactMap { item in
                let words = item.split(separator: " ").map(String.init)
                switch words.count {
                case 0: return nil
                case 1: return (words[0], words[0])
                case 3 where words[1] == "as": return (words[0], words[2])
                default: throw mistake(rest)
                }
            }
        }

        private func mistake(_ rest: Bytes.SubSequence) -> Mistake {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            return Mistake(path: path, statement: String(decoding: line, as: UTF8.self))
        }
    }
}
