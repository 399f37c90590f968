/// The texts of a module: what `t` and `plural` of `Web/shell/translate.js` are called with.
enum ModuleTexts {
    /// A text's key, and whether its translations are by number.
    struct Key: Hashable {
        let text: String
        let isPlural: Bool
    }

    /// All keys of a module, in order.
    static func keys(of module: String) -> [Key] {
        var keys: [Key] = []
        guard module.contains("plural(") || module.contains("t`") else { return [] }
        for match in module.matches(of: /(?:^|[^A-Za-z0-9_$.])(?:t`|plural\()/.anchorsMatchLineEndings()) {
            let before = module[..<match.range.upperBound]
            let line = before[(before.lastIndex(of: "\n").map(before.index(after:)) ?? before.startIndex)...]
                .drop { $0 == " " }
            guard !["//", "/*", "* "].contains(where: line.hasPrefix) else { continue }
            let rest = module[match.range.upperBound...]
            if match.output.hasSuffix("`") {
                keys.append(Key(text: template(rest), isPlural: false))
            } else if let other = other(rest) {
                keys.append(Key(text: other, isPlural: true))
            }
        }
        return keys
    }

    /// The key of a template literal, with numbers in braces for its values.
    private static func template(_ literal: Substring) -> String {
        var key = ""
        var values = 0
        var depth = 0
        var isEscaped = false
        var previous: Character = " "
        for character in literal {
            if depth > 0 {
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
            } else if isEscaped {
                key.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "`" {
                break
            } else if character == "{", previous == "$" {
                key.removeLast()
                key += "{\(values)}"
                values += 1
                depth = 1
            } else {
                key.append(character)
            }
            previous = character
        }
        return key.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    /// The second of two strings after a comma: `plural(n, "{0} view", "{0} views")`.
    private static func other(_ call: Substring) -> String? {
        let pair = call.prefix(400)
            .firstMatch(of: /,\s*(?:"([^"\n]*)"|'([^'\n]*)'),\s*(?:"([^"\n]*)"|'([^'\n]*)')/)
        return pair.flatMap { ($0.3 ?? $0.4).map(String.init) }
    }
}
