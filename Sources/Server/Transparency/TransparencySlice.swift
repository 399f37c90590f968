import Logging
import ServiceLifecycle

extension Slice {
    /// The log.
    static let transparency = Slice(
        name: "transparency",
        migrations: [Schema.logPolicies, Schema.logLists],
        permissions: Permission.ofTransparency, events: TrustEvent.Kind.ofTransparency,
        pages: Page.ofTransparency,
        people: [
            // The entry stays as a number that nothing opens.
            PersonColumn(table: "log_entries", column: "account", erasure: .clear(["opening", "record"]))
        ], keys: [.log, .labelSecret], open: { OpenLog(environment: $0) })
}

private struct OpenLog: OpenSlice {
    let environment: Environment

    func add(to routes: inout RouteTable) { LogRoutes(environment: environment).add(to: &routes) }

    func services(_ shell: Shell, _ logger: Logger) -> [any Service] {
        [LogKeeper(log: environment.log, clock: environment.clock, metrics: shell.metrics, logger: logger)]
    }
}
