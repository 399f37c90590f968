/// One place where the house's rules are broken.
struct Violation: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let reason: String

    var description: String { "\(path):\(line): \(reason)" }
}
