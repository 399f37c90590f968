import Interface
import Logging
import ServiceLifecycle
package import Storage

/// A part of the server that plugs in at one place: everything that the rest of the house must know of it.
///
/// Backup, doctor, erasure, retention and the removal of orphans are each written once, over a list of these.
package struct Slice: Sendable {
    /// Its folder's name, in lower case with hyphens.
    package let name: String
    /// The history of its tables; it may build on the tables of slices before it in the list.
    package var migrations: [Migration] = []
    /// What accounts may do with it.
    package var permissions: [Permission] = []
    /// What it writes into the log.
    var events: [TrustEvent.Kind] = []
    /// What it tells open pages of, as it happens.
    var notices: [LiveEvent.Kind] = []
    /// What it tells people of who have no page open.
    var notifications: [NotificationKind] = []
    /// What its notices say to those who want more than that something waits.
    var sentences: [NotificationDetail.Sentence] = []
    /// Its pages, with their places in the navigation.
    var pages: [Page] = []
    /// Where its rows name blobs.
    var blobs: [BlobColumn] = []
    /// Where its rows name accounts.
    var people: [PersonColumn] = []
    /// The rows that are kept only for a while, in the order in which they are removed.
    var retention: [RetentionRule] = []
    /// Its keys, which no other slice gets.
    var keys: [ServerKey] = []
    /// What the revocation of an account's device means for it, and the sessions that end with it.
    var deviceRevoked: @Sendable (_ device: String, _ account: String, Transaction) throws -> [String] = { _, _, _ in []
    }
    /// What the removal of an account's passkey means for it, and the sessions that end with it.
    var passkeyRemoved: @Sendable (_ passkey: String, _ account: String, Transaction) throws -> [String] = { _, _, _ in
        []
    }
    /// What the removal of a wallet that signs in means for it: of the wallet's sessions neither device nor passkey may be known.
    var walletRemoved: @Sendable (_ account: String, Transaction) throws -> Void = { _, _ in }
    /// What it removes when the main administrator comes back without their keys: with what a thief could still get in.
    var ownerRecovered: @Sendable (_ account: String, Transaction) throws -> Void = { _, _ in }
    /// What it removes outside database and blobs once an account is erased; what fails, its `retention` has to repeat.
    var erased: @Sendable (_ account: String, Environment) async throws -> Void = { _, _ in }
    /// Opens it, with what all slices share and with its own keys.
    var open: @Sendable (Environment) async throws -> any OpenSlice = { _ in NothingToOpen() }
}

/// A slice of a running server.
protocol OpenSlice: Sendable {
    /// Adds its routes.
    func add(to routes: inout RouteTable)
    /// Throws what keeps a server from running, though not the commands that put it right.
    func check() throws
    /// What runs as long as the server does.
    func services(_ shell: Shell, _ logger: Logger) -> [any Service]
}

extension OpenSlice {
    func check() throws {}
    func services(_ shell: Shell, _ logger: Logger) -> [any Service] { [] }
}

/// A slice of tables alone.
private struct NothingToOpen: OpenSlice {
    func add(to routes: inout RouteTable) {}
}

extension [Slice] {
    /// The keys of all slices.
    package var keys: [ServerKey] { flatMap(\.keys) }

    /// What all slices write into the log.
    var events: [TrustEvent.Kind] { flatMap(\.events) }

    /// The pages of all slices, in their order.
    var pages: [Page] { flatMap(\.pages) }

    /// The history of the tables, slice by slice.
    package var histories: [MigrationHistory] {
        map { MigrationHistory(name: $0.name, migrations: $0.migrations) }
    }
}

/// A column whose text names a blob: a row that names one keeps it, brings it into backups, and has it looked for.
struct BlobColumn: Sendable {
    /// The table.
    let table: String
    /// The column.
    let column: String
    /// Which rows name a blob there, as SQL; all of them, if `nil`.
    var rows: String?
    /// While what is true of the row the blob is kept, as SQL in which `$1` is the time; for ever, if `nil`.
    var kept: String?
    /// The column that says when the row's blob went, empty until then.
    ///
    /// A backup notes blobs that their owner removed while it was made, and a restore sets this column for each.
    var ended: String?
    /// The column that names the account whose blob it is: erasing the account removes the blob.
    var owner: String?
    /// The key of rows that get another blob in time, and then the one before goes; there are few such rows.
    ///
    /// A blob that was replaced before a backup has come to it is missing there, and a restore does not end its row.
    var replacing: String?
}

/// A column that names an account.
struct PersonColumn: Sendable {
    /// What the column holds of the account.
    enum Name: Sendable { case id, username, handle }

    /// What happens to a row when the account that it names is erased.
    enum Erasure: Sendable, Equatable {
        /// The row goes.
        case delete
        /// The row stays, and names nobody.
        case null
        /// The row stays, and names what is left of the account: a pseudonym.
        case pseudonym
        /// The account cannot be erased while there is such a row.
        case refuse
        /// The row stays; this column and these others become empty texts.
        case clear([String])
    }

    /// The table.
    let table: String
    /// The column.
    let column: String
    /// What it holds.
    var holds = Name.id
    /// What erasure does.
    let erasure: Erasure
}

/// Something that is removed, or emptied, some time after it is over.
enum RetentionRule: Sendable {
    /// Rows of a table.
    case rows(Rows)
    /// Work of a service, which says how much it did; a full batch is followed by another.
    case work(batch: Int, @Sendable (Environment) async throws -> Int)

    /// Rows that are over.
    struct Rows: Sendable {
        /// The table.
        let table: String
        /// Its primary key.
        let key: String
        /// Which rows are over, as SQL in which `$1` is the last moment at which they may be.
        var over = "expires <= $1"
        /// What is set in them, as SQL; rows are deleted, if `nil`.
        var emptied: String?
        /// The list that finds the rows by words: these go with them.
        var words: SearchWordStore.List?
        /// Seconds that they are kept after they are over.
        var time: @Sendable (ServerConfiguration.KeepDays) -> Int64 = { _ in 0 }
    }
}
