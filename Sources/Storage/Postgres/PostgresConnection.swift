import CLibPQ
import Foundation

/// One connection to PostgreSQL, used by one thread at a time.
///
/// The thread that uses it waits for the server's answers: never one of Swift's own.
@safe final class PostgresConnection {
    let handle: OpaquePointer
    /// The names under which the server knows statements, by their text and the types of their values.
    var prepared: [PostgresStatementKey: String] = [:]
    private var names = 0
    /// Whether the server still has to say that a transaction has ended.
    private var isRollingBack = false

    /// Connects.
    ///
    /// - Parameter url: `postgres://…`, or any other form that libpq reads; what it leaves out comes from libpq's
    ///   environment variables and files.
    /// - Throws: `StorageError.unreachable`.
    init(_ url: String) throws(StorageError) {
        // Named, so that `pg_stat_activity` says whose connection it is; a server that is gone is noticed in a minute, be
        // it while nothing is asked or while an answer is waited for. The address overrides the settings before it here.
        let settings = [
            ("fallback_application_name", "countersign"), ("connect_timeout", "5"), ("keepalives_idle", "20"),
            ("keepalives_interval", "10"), ("keepalives_count", "4"), ("tcp_user_timeout", "60000"), ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        let handle = unsafe CStrings.with(settings.map(\.0)) { names in
            unsafe CStrings.with(settings.map(\.1)) { values in unsafe PQconnectdbParams(names, values, 1) }
        }
        guard let handle = unsafe handle else { throw .unreachable(detail: "libpq has no memory") }
        unsafe self.handle = handle
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            // The message names host, port, user and database; never the password.
            throw unsafe .unreachable(detail: Self.message(handle))
        }
        unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { unsafe PQfinish(handle) }

    /// What it talks to the server by.
    var socket: Int32 { unsafe PQsocket(handle) }

    /// Whether the server still answers, as far as is known.
    var isAlive: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open, be it a failed one.
    var isInTransaction: Bool {
        switch unsafe PQtransactionStatus(handle) {
        case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
        default: false
        }
    }

    /// Whether the server has said nothing, not even that it hangs up, since it answered last.
    ///
    /// Asks nobody: it costs no round trip.
    var isSilent: Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 0
    }

    /// Ends a transaction without waiting for the server to say so.
    func beginRollBack() {
        guard isAlive, isInTransaction else { return }
        isRollingBack = unsafe PQsendQuery(handle, "ROLLBACK") == 1
    }

    /// Takes the answer to ``beginRollBack()``, which mostly is there long since.
    ///
    /// - Throws: `StorageError.unreachable`, if the line was cut or the old transaction stays open: nobody may read what
    ///   was true then.
    func finishRollBack() throws(StorageError) {
        if isRollingBack { while let answer = unsafe PQgetResult(handle) { unsafe PQclear(answer) } }
        isRollingBack = false
        guard isAlive, !isInTransaction else { throw .unreachable(detail: unsafe Self.message(handle)) }
    }

    // MARK: Statements

    /// Runs statements of ours that have no values, all in one message.
    func control(_ sql: String) throws(StorageError) {
        _ = unsafe try checked(PQexec(handle, sql))
    }

    /// Runs a statement; the server remembers how.
    func run(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> PostgresResult {
        let parameters = PostgresParameters(values)
        let name = try prepare(sql, parameters)
        let result = unsafe parameters.withPointers { texts, lengths, formats in
            unsafe PQexecPrepared(handle, name, Int32(values.count), texts, lengths, formats, 0)
        }
        return unsafe try checked(result)
    }

    private func prepare(_ sql: String, _ parameters: PostgresParameters) throws(StorageError) -> String {
        let key = PostgresStatementKey(sql: sql, types: parameters.types)
        if let name = prepared[key] { return name }
        try forgetStatements(beyond: Self.preparedLimit)
        let name = newName()
        let result = unsafe parameters.types.withUnsafeBufferPointer { types in
            unsafe PQprepare(handle, name, sql, Int32(types.count), types.baseAddress)
        }
        _ = unsafe try checked(result)
        prepared[key] = name
        return name
    }

    /// A name that no statement of this connection has had.
    func newName() -> String {
        names += 1
        return "s\(names)"
    }

    /// Lets go of the prepared statements when they have become many.
    func forgetStatements(beyond limit: Int) throws(StorageError) {
        guard prepared.count >= limit else { return }
        try control("DEALLOCATE ALL")
        prepared = [:]
    }

    /// As many as the source has; only tests have more.
    static let preparedLimit = 500

    /// - Throws: what the server refused, or that it is gone.
    func checked(_ answer: OpaquePointer?) throws(StorageError) -> PostgresResult {
        guard let answer = unsafe answer else { throw unsafe .unreachable(detail: Self.message(handle)) }
        let result = unsafe PostgresResult(answer)
        guard result.isSuccess else {
            let message = unsafe result.sqlState.isEmpty ? Self.message(handle) : result.message
            throw StorageError(sqlState: result.sqlState, message: message, isAlive: isAlive)
        }
        return result
    }

    static func message(_ handle: OpaquePointer) -> String {
        guard let text = unsafe PQerrorMessage(handle) else { return "no message" }
        return unsafe String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    // MARK: Notifications

    /// Waits until something arrives on a channel that is listened to.
    ///
    /// - Parameter limit: milliseconds.
    /// - Returns: what was sent; nothing when nothing came in time.
    func waitForNotifications(atMost limit: Int32) throws(StorageError) -> [String] {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&descriptor, 1, limit)
        guard unsafe PQconsumeInput(handle) == 1 else { throw unsafe .unreachable(detail: Self.message(handle)) }
        var found: [String] = []
        while let notification = unsafe PQnotifies(handle) {
            unsafe found.append(String(cString: notification.pointee.extra))
            unsafe PQfreemem(notification)
        }
        return found
    }
}
