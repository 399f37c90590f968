/// Which genuine signatures of a user are the references of an evaluation.
public enum ReferenceDraws {
    /// The first five, as a product has them: the harder protocol.
    public static let first = [0, 1, 2, 3, 4]

    /// Ten draws of five, the same for every user with so many.
    ///
    /// - Parameter count: how many genuine signatures there are, at least six.
    public static func random(of count: Int) -> [[Int]] {
        var state: UInt32 = 2_025
        return (0..<10).map { _ in
            var places = Array(0..<count)
            for last in stride(from: count - 1, through: 1, by: -1) {
                state = state &* 1_664_525 &+ 1_013_904_223
                places.swapAt(last, Int(state >> 8) % (last + 1))
            }
            return places.prefix(Enrolment.size).sorted()
        }
    }

    /// All windows of consecutive signatures, as enrolments are made: what training learns from.
    static func windows(of count: Int) -> [[Int]] {
        guard count > Enrolment.size else { return [] }
        return (0...count - Enrolment.size).map { Array($0..<$0 + Enrolment.size) }
    }
}
