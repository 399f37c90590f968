/// An element of a group of points, as multiplication by scalars needs it.
protocol GroupElement: Sendable {
    /// The element that changes nothing when it is added.
    static var neutral: Self { get }

    static func + (left: Self, right: Self) -> Self
    /// The element added to itself.
    func doubled() -> Self
    /// The inverse element.
    func negated() -> Self
}
