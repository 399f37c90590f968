import Encodings

extension ServerConfiguration {
    /// The members of a configuration file: one flat JSON object of strings, whole numbers, true and false.
    ///
    /// Lines that begin with `//` are comments. A string of JSON never holds a line break, so no such line is part of one.
    ///
    /// - Throws: `ConfigurationMistakes`, which say in which line.
    package static func members(ofFile bytes: [UInt8]) throws(ConfigurationMistakes) -> [String: String] {
        let text = withoutComments(bytes)
        let parsed: JSON
        do {
            parsed = try JSON.parse(text, maximumDepth: 2)
        } catch {
            throw ConfigurationMistakes(list: ["line \(line(of: error, in: text)): \(error.words)"])
        }
        guard let members = parsed.members else {
            throw ConfigurationMistakes(list: ["line 1: the file must be one JSON object, in braces"])
        }
        var values: [String: String] = [:]
        var mistakes: [String] = []
        for member in members {
            let name = String(decoding: member.name, as: UTF8.self)
            switch member.value {
            case .string(let text): values[name] = String(decoding: text, as: UTF8.self)
            case .integer(let number): values[name] = String(number)
            case .bool(let flag): values[name] = String(flag)
            default:
                let line = lines(ofFile: bytes)[name].map { "line \($0): " } ?? ""
                mistakes.append("\(line)'\(name)' must be a string, a whole number, true or false")
            }
        }
        guard mistakes.isEmpty else { throw ConfigurationMistakes(list: mistakes) }
        return values
    }

    /// In which line of a file each member is, from 1 on.
    package static func lines(ofFile bytes: [UInt8]) -> [String: Int] { names(in: withoutComments(bytes)).lines }

    /// In which line each name is, and the line of the first name that is there for the second time.
    ///
    /// A name is quoted text before a colon.
    private static func names(in text: [UInt8]) -> (lines: [String: Int], second: Int?) {
        var found: [String: Int] = [:]
        var second: Int?
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            for (quoted, after) in zip(parts, parts.dropFirst()) {
                guard after.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: ":") else { continue }
                let name = String(decoding: quoted, as: UTF8.self)
                if found[name] != nil { second = second ?? index + 1 } else { found[name] = index + 1 }
            }
        }
        return (found, second)
    }

    /// The line of a mistake: the first with which the text is worse than unfinished.
    private static func line(of error: JSONError, in text: [UInt8]) -> Int {
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        if error == .truncated { return lines.count }
        if error == .duplicateName, let second = names(in: text).second { return second }
        for count in 1..<max(lines.count, 1) {
            let beginning = Array(lines.prefix(count).joined(separator: [0x0A])) + [0x0A]
            do {
                _ = try JSON.parse(beginning, maximumDepth: 2)
            } catch {
                if error != .truncated { return count }
            }
        }
        return lines.count
    }

    /// The same lines, those of comments empty.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let kept = lines.map { $0.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: [0x2F, 0x2F]) ? [] : $0 }
        return Array(kept.joined(separator: [0x0A]))
    }
}

extension JSONError {
    /// The mistakes in a file that a person wrote by hand.
    fileprivate var words: String {
        switch self {
        case .truncated: "the file ends too early: a quote, a bracket or the last brace is missing"
        case .unexpected:
            "this is not JSON: look for a missing or extra comma, quote or brace, here or in the line before"
        case .trailing: "there is something after the last brace"
        case .duplicateName: "the same setting is there twice"
        case .tooDeep: "a value must be a string, a whole number, true or false"
        case .tooLong, .tooManyValues: "the file is too large"
        case .invalidText: "the text is not UTF-8"
        case .invalidNumber, .notCanonical: "a number is not written as a whole number"
        }
    }
}
