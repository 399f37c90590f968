/// A way of comparing, as an evaluation needs it: the signatures as that way prepares them.
public protocol SignatureComparison: Sendable {
    /// How a person writes, as this way keeps it.
    associatedtype Enrolled

    /// The quantities of the comparison of two signatures.
    static func quantities(_ first: Self, _ second: Self) -> [Double]
    /// An enrolment, when the quantities of its pairs are known.
    ///
    /// - Parameter pair: the quantities of two references, by their places; the first is smaller.
    static func enrolled(_ references: [Self], pair: (Int, Int) -> [Double]) -> Enrolled
    /// The parts of a score: the numbers that tell this signature from an enrolment.
    ///
    /// - Parameter comparisons: the quantities of each reference with this signature.
    func inputs(_ enrolled: Enrolled, comparisons: [[Double]]) -> [Double]
}

extension PreparedSignature: SignatureComparison {
    /// The quantities of the alignment.
    public static func quantities(_ first: Self, _ second: Self) -> [Double] { Alignment(first, second).values }

    /// The enrolment of the reference classifier.
    public static func enrolled(_ references: [Self], pair: (Int, Int) -> [Double]) -> Enrolment {
        Enrolment(references, pair: pair)
    }

    /// The inputs of the reference classifier.
    public func inputs(_ enrolled: Enrolment, comparisons: [[Double]]) -> [Double] {
        enrolled.inputs(of: self, comparisons: comparisons)
    }
}
