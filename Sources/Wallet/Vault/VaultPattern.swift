package import Encodings
import Foundation

/// One name of a path that was typed, in which `*`, `?` and `[…]` stand for other characters.
package struct VaultPattern: Sendable {
    private enum Part: Equatable {
        case scalar(Unicode.Scalar)
        case any
        case anyOf([ClosedRange<UInt32>], isExcluded: Bool)
        case many
    }

    private let parts: [Part]
    /// Whether it stands for other names too.
    package let isOpen: Bool

    /// The names of a path; slashes at both ends and several in a row do not count.
    package static func names(of path: String) -> [VaultPattern] {
        path.precomposedStringWithCanonicalMapping.unicodeScalars
            .split(separator: "/").map { VaultPattern(Array($0)) }
    }

    private init(_ text: [Unicode.Scalar]) {
        var parts: [Part] = []
        var index = 0
        while index < text.count {
            let scalar = text[index]
            index += 1
            switch scalar {
            case "\\" where index < text.count:
                parts.append(.scalar(text[index]))
                index += 1
            case "*": if parts.last != .many { parts.append(.many) }
            case "?": parts.append(.any)
            case "[":
                if let (part, next) = Self.bracket(text, index) {
                    parts.append(part)
                    index = next
                } else {
                    parts.append(.scalar(scalar))
                }
            default: parts.append(.scalar(scalar))
            }
        }
        self.parts = parts
        isOpen = parts.contains { if case .scalar = $0 { false } else { true } }
    }

    /// Reads what follows an opening bracket; `nil` if none closes it.
    private static func bracket(_ text: [Unicode.Scalar], _ start: Int) -> (Part, Int)? {
        var index = start
        let isExcluded = index < text.count && (text[index] == "!" || text[index] == "^")
        if isExcluded { index += 1 }
        var ranges: [ClosedRange<UInt32>] = []
        let first = index
        while index < text.count {
            if text[index] == "]", index > first { return (.anyOf(ranges, isExcluded: isExcluded), index + 1) }
            let low = text[index].value
            if index + 2 < text.count, text[index + 1] == "-", text[index + 2] != "]" {
                let high = text[index + 2].value
                if low <= high { ranges.append(low...high) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        return nil
    }

    /// Whether it stands for a name.
    ///
    /// As in shells, only a dot stands for a dot at the beginning. Others write into shared folders, and what they called
    /// `.profile` must not come along unseen.
    package func matches(_ name: Bytes) -> Bool {
        let text = Array(String(decoding: name, as: UTF8.self).precomposedStringWithCanonicalMapping.unicodeScalars)
        guard text.first != "." || parts.first == .scalar(".") else { return false }
        var (place, part) = (0, 0)
        // Where to go on if what follows the last star does not fit.
        var star: (part: Int, place: Int)?
        while place < text.count {
            if part < parts.count, parts[part] == .many {
                star = (part, place)
                part += 1
            } else if part < parts.count, Self.fits(parts[part], text[place]) {
                place += 1
                part += 1
            } else if let last = star {
                star = (last.part, last.place + 1)
                (part, place) = (last.part + 1, last.place + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .many }
    }

    private static func fits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
        switch part {
        case .scalar(let wanted): wanted == scalar
        case .any: true
        case .anyOf(let ranges, let isExcluded): ranges.contains { $0.contains(scalar.value) } != isExcluded
        case .many: false
        }
    }
}
