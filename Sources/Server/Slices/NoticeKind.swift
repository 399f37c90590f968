import Interface

extension LiveEvent {
    /// The subject of a live update: each slice names its own (``Slice/notices``).
    struct Kind: RawRepresentable, Hashable, Sendable {
        /// As pages know it.
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
        init(_ name: String) { self.init(rawValue: name) }
    }

    /// A live update of one of the slices' kinds.
    init(_ kind: Kind, id: String, state: String) { self.init(kind: kind.rawValue, id: id, state: state) }
}
