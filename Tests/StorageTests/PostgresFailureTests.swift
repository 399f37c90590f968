import Testing

@testable import Storage

@Suite("What PostgreSQL's failures mean")
struct PostgresFailureTests {
    @Test(
        "is told by their codes; a failure without one is a connection that is lost, whatever it says of itself",
        arguments: [
            ("", true, StorageError.unreachable(detail: "m")), ("", false, .unreachable(detail: "m")),
            ("57P01", true, .unreachable(detail: "m (SQLSTATE 57P01)")),
            ("08006", false, .unreachable(detail: "m (SQLSTATE 08006)")),
            ("53300", true, .unreachable(detail: "m (SQLSTATE 53300)")), ("40001", true, .busy), ("53100", true, .full),
            ("42601", true, .statement(detail: "m (SQLSTATE 42601)")),
            ("42601", false, .unreachable(detail: "m (SQLSTATE 42601)")),
        ])
    func meanings(code: String, isAlive: Bool, error: StorageError) {
        #expect(StorageError(sqlState: code, message: "m", isAlive: isAlive) == error)
    }
}
