import Foundation

/// The system's clock, in whole seconds since 1970.
@Sendable package func systemTime() -> Int64 { Int64(Date().timeIntervalSince1970) }
