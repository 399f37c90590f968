/// What a side announces about a session of continuous authentication (section 6).
public enum PicoContinuousState: UInt8, Sendable, Equatable, CaseIterable {
    /// The session is active.
    case active = 0
    /// The session is paused: the next message may take longer.
    case paused = 1
    /// The session is over.
    case stopped = 2
    /// Something went wrong. The session is over.
    case failed = 3

    /// Whether nothing follows.
    public var isOver: Bool { self == .stopped || self == .failed }

    /// Whether section 6 allows the move: from active and paused to active, paused and stopped; from stopped only to
    /// stopped.
    func allows(_ next: PicoContinuousState) -> Bool {
        switch (self, next) {
        case (.active, .active), (.active, .paused), (.active, .stopped): true
        case (.paused, .active), (.paused, .paused), (.paused, .stopped): true
        case (.stopped, .stopped): true
        case (.failed, _), (_, .failed), (.stopped, _): false
        }
    }
}
