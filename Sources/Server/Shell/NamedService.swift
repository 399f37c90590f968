import ServiceLifecycle

/// A service that is known by its type alone.
///
/// The library knows a service by all that is in it, in its errors and in its log: of one, that is the whole server and
/// its settings, with the database's password. To put that into words took more than half of the start.
struct NamedService: Service, CustomStringConvertible {
    private let base: any Service

    init(_ base: any Service) { self.base = base }

    var description: String { "\(type(of: base))" }

    func run() async throws { try await base.run() }
}
