/// The name of a domain as people know it: `example.edu`.
///
/// An address in numbers, however it is written, is none; neither is a name of one label, which only a local network knows.
public struct DomainName: Sendable, Equatable {
    /// The name in small letters of ASCII.
    public let text: String

    /// Reads what a person typed; `https://` before it and a slash after it do not matter.
    ///
    /// - Returns: `nil` for anything else: a port, a path, a user, letters beyond ASCII that are not in `xn--…` form.
    public init?(_ typed: String) {
        var name = typed.lowercased()[...]
        if name.hasPrefix("https://") { name = name.dropFirst(8) }
        if name.hasSuffix("/") { name = name.dropLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(name.utf8.count), labels.count >= 2, labels.allSatisfy(Self.isLabel),
            let last = labels.last, !Self.isNumber(last)
        else { return nil }
        text = String(name)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.utf8.first != 0x2D && label.utf8.last != 0x2D
            && label.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }

    /// Whether resolvers would take a name that ends so for an address: `1`, `0x7f`.
    private static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (0x30...0x39).contains($0) }
            || label.hasPrefix("0x")
                && label.dropFirst(2).utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
