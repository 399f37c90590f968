import Foundation
package import Workers

/// Every limit of the HTTP interface (DESIGN section 10).
///
/// A limit that is reached answers a problem that names it.
package enum Limits {
    // MARK: Sizes, in bytes

    /// How much a request's body may hold, by kind of route.
    package enum Body: Int, Sendable {
        /// Names, codes, keys, signed statements.
        case small = 65_536
        /// A message over a channel of the rendezvous, with the four bytes of its length.
        case channel = 65_540
        /// A part of a vault's content, as bytes.
        case part = 8_388_608
        /// Certificates, several keys, lists.
        case medium = 262_144
        /// A sealed document, base64: 12 MiB of ciphertext and its envelope.
        case document = 16_842_752

        /// From a request's head to the end of its body: a document may come over half a megabit a second.
        package var time: Duration { isLarge ? .seconds(270) : Limits.bodyTime }

        /// Whether a few of them would fill the memory.
        var isLarge: Bool { self == .document || self == .part }
    }

    /// A request's path and query.
    package static let target = 2_048
    /// One header field.
    package static let headerField = 8_192
    /// All header fields.
    package static let headers = 32_768
    /// The number of header fields.
    package static let headerCount = 64
    /// The bytes of a body that are still read and thrown away after its request was refused.
    package static let discardedBody = 33_554_432
    /// So much of a body is read without a place among the large ones, as much as other bodies may hold.
    static let bodyWithoutPlace = Body.medium.rawValue
    /// Bytes in a second that keep a large body coming: a quarter of half a megabit, so that several may share such a line.
    static let bodyRate = 16_384
    /// Bytes in a second that keep a download going, 64 kbit/s, and those that are handed to its connection at once.
    static let downloadRate = 8_192
    static let downloadPiece = 1_048_576
    /// A session token in the `Authorization` field.
    package static let token = 256
    /// One identifier in a path; a passkey's is the longest.
    package static let pathParameter = 1_400

    // MARK: Fields, in bytes of UTF-8

    /// A username or e-mail address.
    package static let username = 3...254
    /// A person's or device's name.
    package static let name = 1...200
    /// A given name, or a family name, in characters.
    package static let namePart = 80
    /// The name of the person an invitation is for, in characters.
    package static let recipient = 200
    /// An organisation's name, in characters; certificates have its beginning.
    package static let organisation = 200
    /// A passphrase at sign-up.
    package static let passphrase = 10...1_024
    /// A note with a request.
    package static let note = 0...500
    /// A reason that a person will read.
    package static let reason = 1...500
    /// A sealed package or presentation, in bytes of text.
    package static let sealedPackage = 16_777_216
    /// A PDF of the desk's workspace.
    package static let workspaceFile = 12_582_912
    /// The organisation's logo, in bytes of its file.
    package static let logo = 131_072
    /// Pixels of a logo in one direction.
    package static let logoSide = 2_048
    /// A text of the imprint.
    package static let imprint = 4_000
    /// The name of a saved filter.
    package static let filterName = 1...60
    /// The query of a saved filter.
    package static let filterQuery = 500
    /// A photograph of a signer.
    package static let photograph = 262_144
    /// A signed statement, compact JWS.
    package static let statement = 1...16_384
    /// A passkey's credential id (WebAuthn Level 3 section 4).
    package static let credentialID = 1...1_023
    /// One of the ways to reach an authenticator.
    package static let transport = 1...32

    // MARK: Counts

    /// Nested arrays and objects in JSON.
    package static let depth = 16
    /// Rows on one page of a list, at most.
    package static let listing = 1_000
    /// Rows on one page of a list, when the request names no number.
    package static let page = 100
    /// How far the rows of a list are counted.
    package static let counted = 10_000
    /// Rows with a word that are looked up and sorted; what more rows have is looked for along the list.
    package static let found = 2_000
    /// Rows of a list, times words, that are looked at for one page of a search.
    package static let walked = 1_500
    /// Entries of a word that are sorted for one page of a search by name.
    package static let sortedEntries = 10_000
    /// Words that begin alike and whose entries are merged for one page of a search by name.
    package static let mergedWords = 50
    /// Services whose questions are merged for one page of a search.
    package static let mergedServices = 20
    /// Entries of a word that are looked up for one page of a search by name.
    package static let namedEntries = 400
    /// Words in one search.
    package static let searchedWords = 8
    /// A list's cursor, in bytes.
    package static let cursor = 512
    /// So much of a name is stored to sort by, in code points.
    package static let sortName = 60
    /// The text of a search in a list, in bytes.
    package static let search = 200
    /// Words by which one row is found, and letters of each that count.
    package static let words = 24
    package static let wordLength = 40
    /// Sessions of one account; one more ends the oldest.
    package static let sessions: Int64 = 32
    /// Devices of one account that are not revoked.
    package static let devices = 32
    /// Endorsements from a device back to the account's first one.
    package static let deviceEndorsements = 16
    /// Saved filters of one account.
    package static let savedFilters = 40
    /// Bytes of feedback, and how many messages wait to be read.
    package static let feedbackText = 1...4_000
    package static let feedback: Int64 = 1_000
    /// Fields that an organisation asks of its clients.
    package static let clientFields = 10
    /// The same with those that were removed: clients may have values of them.
    package static let clientFieldsEver = 100
    /// Bytes of the label of a field, and of one of its choices.
    package static let fieldLabel = 1...100
    /// Choices of a field.
    package static let fieldChoices = 2...20
    /// Bytes of what a client has in a field.
    package static let fieldValue = 500
    /// Services that ask for approvals.
    package static let approvalServices: Int64 = 200
    /// Bytes of what a service calls one of its users.
    package static let approvalUser = 1...200
    /// Bytes of what a service calls a browser session.
    package static let approvalSession = 16...200
    /// Bytes of a service's key for asking once.
    package static let idempotencyKey = 1...200
    /// Bytes of a question as it is stored; a service may ask only so many that are longer (``Rate/longQuestions``).
    package static let approvalShort = 8_192
    /// Enrolments that a service begins in ``approvalOfferTime`` and that are not completed.
    package static let approvalOffers: Int64 = 1_000
    /// Those of one user of it.
    package static let approvalOffersOfUser: Int64 = 20
    /// Devices that one user has at a service.
    package static let approvalDevices = 10
    /// Recovery codes of an account.
    package static let approvalRecoveryCodes = 10
    /// Notices that are due and that a service's webhook has not taken; of what begins beyond that it is not told.
    package static let waitingWebhookNotices = 10_000
    /// Answers to requests for approval that are stored in one transaction.
    static let answersTogether = 1_024
    /// Requests for approval that wait for one account.
    package static let pendingApprovals = 100
    /// Those of one service: as many as it may ever ask in an hour, and some are left for others.
    package static let pendingApprovalsOfService = 60
    /// Browsers of one account that get notices through a push service.
    package static let pushSubscriptions = 10
    /// The address of a push subscription, in bytes.
    package static let pushEndpoint = 1_024
    /// Bytes of the address of a service's webhook.
    package static let webhookAddress = 1...500
    /// E-mail addresses of one account that get notices.
    package static let emailAddresses = 2
    /// Codes that are sent to e-mail addresses for one account, and to one address, at once; then so many in a day.
    package static let emailCodes = 3
    /// Phone numbers of one account that get notices.
    package static let phoneNumbers = 2
    /// Codes that are sent by SMS for one account in a day, and to one number for all accounts.
    package static let smsCodes = 3
    /// SMS to one number in an hour, codes and notices; further notices wait.
    package static let smsToNumberInHour = 6
    /// The same in a day.
    package static let smsToNumberInDay = 20
    /// SMS of all accounts in an hour, unless the operator sets another number; codes are at most half of them.
    package static let smsPerHour = 120
    /// The highest number of SMS in an hour that an operator may set.
    package static let mostSMSPerHour = 100_000
    /// Wrong codes until another has to be sent.
    package static let emailTries: Int64 = 5
    /// Notices of one account that wait to be delivered; those about its protection are never left out.
    package static let waitingNotifications = 500
    /// Notices that are delivered at once.
    package static let deliveries = 32
    /// The same, for one account by one kind of way.
    package static let deliveriesOfAccount = 8
    /// Notices that are looked at when some are taken for delivery.
    package static let lookedAtNotifications = 5_000
    /// Digits of the code that the asking page shows, when the service says nothing else.
    package static let approvalDigits = 4
    /// Bytes of the title of a challenge of version 1, its lines, and bytes of all its text.
    package static let originalTitle = 1...100
    package static let originalLines = 1...20
    package static let originalText = 1...2_000
    /// Passkeys of one account.
    package static let passkeys: Int64 = 20
    /// Ways to reach one authenticator.
    package static let transports = 8
    /// Unanswered ceremonies of one session.
    package static let ceremonies: Int64 = 8
    /// Failed user verifications in a row that end a session.
    package static let ceremonyFailures: Int64 = 2
    /// Open pairings for one username; one more ends the oldest.
    package static let pairings: Int64 = 5
    /// Open requests for documents of one member.
    package static let openRequests = 50
    /// Working share links of one member.
    package static let shares: Int64 = 200
    /// Working links to clients' copies of one operator.
    package static let copies: Int64 = 2_000
    /// Openings of a link to a client's copy.
    package static let copyViews = 3
    /// Views that a share link may allow.
    package static let shareViews = 1...1_000
    /// Wrong codes that end a share link.
    package static let shareFailures: Int64 = 5
    /// For so many seconds the same attempt opens a link again without spending another opening.
    package static let shareAgain: Int64 = 600
    /// Openings of one link that can be given back because nothing could be shown.
    package static let shareReturns: Int64 = 3
    /// Mismatches of one client within an hour, after which the client's signatures are not compared.
    package static let signingFailures: Int64 = 20
    /// Records of failed attempts about one client within an hour; further ones are counted in the last.
    package static let attemptsOfClient = 30
    /// The same about everybody that one operator deals with.
    package static let attemptsOfOperator = 200
    /// Tickets of shown documents that one operator holds; one more ends the oldest.
    package static let tickets = 32
    /// Transactions that are refused at once when their client is enrolled again; more of them cannot be confirmed.
    package static let endedByEnrolment = 64
    /// Certifications that one administrator's account may have asked for.
    package static let delegationsPerAccount = 32
    /// Large bodies that are held whole at once, of all and of one account.
    package static let largeBodies = 8
    package static let largeBodiesPerAccount = 2
    /// Large bodies that are stored while they come, of all and of one account.
    package static let streamedBodies = 32
    package static let streamedBodiesPerAccount = 4
    /// Lists that are sent as files at once, of all and of one account.
    static let tableFiles = 16
    static let tableFilesPerAccount = 2
    /// Live-update streams of one account; one more ends the oldest.
    package static let streamsPerAccount = 8
    /// Live-update streams of all accounts together, unless the operator sets another number.
    package static let streams = 10_000
    /// Requests of one service, and of all, that wait for an answer; all at most half as many as there may be streams.
    package static let waitsOfService = 500
    package static let waits = 5_000
    /// The highest number of streams that an operator may set.
    package static let mostStreams = 100_000
    /// Live updates waiting for one slow listener; one more ends its stream.
    package static let waitingEvents = 64
    /// Connections open at once beside those of live updates, unless the operator sets another number; further ones wait in
    /// the listen queue.
    package static let connections = 4_096
    /// The highest number of connections that an operator may set.
    package static let mostConnections = 100_000
    /// Connections open at once from one address, unless the operator sets another number; further ones are closed at once.
    package static let connectionsPerAddress = 256
    /// Requests on one connection; the last answer says that it closes.
    package static let requestsPerConnection = 10_000
    /// Addresses and accounts whose rate is remembered; the one unused for longest is forgotten first.
    package static let rateEntries = 100_000
    /// Lines of each part of the log that the console shows: of requests, and of everything else.
    package static let recentLines = 500
    /// A value in such a line, in characters; the rest is left out.
    package static let recentLineValue = 2_000
    /// Time series that `/metrics` keeps; further ones are not counted.
    package static let metricSeries = 4_000

    /// A body in bytes that is read where it arrives; a longer one is read by `work`.
    package static let quickBody = 65_536
    /// Work that keeps a processor for long.
    ///
    /// It gets as many threads as half the cores, at least two and at most four, because each may need 64 MiB. Each
    /// account has a share, and so has each address without a session.
    package static let work = BlockingWork.Bounds(
        threads: min(max(2, ProcessInfo.processInfo.activeProcessorCount / 2), 4), waiting: 128, perAccount: 8,
        perAddress: 48)

    // MARK: The rendezvous

    /// The name of a channel, in letters, digits, `-` and `_`.
    package static let channelName = 1...64
    /// Requests of one address that wait at channels.
    package static let channelsOfAddress = 100
    /// Requests that wait at channels.
    package static let channels = 20_000
    /// Requests of one account's pages that wait at channels of other servers.
    package static let picoRelaysOfAccount = 4
    /// Requests that wait at channels of other servers.
    package static let picoRelays = 200
    /// Bytes of one address that wait at channels to be read: so it takes many addresses to take all the room.
    package static let channelBytesOfAddress = 1_048_576
    /// Bytes that wait at channels to be read.
    package static let channelBytes = 67_108_864

    // MARK: Pico

    /// Wallets that sign an account in.
    package static let picoWallets = 20
    /// Codes that are shown at once: of one address, and together.
    package static let picoRunsOfAddress = 50
    package static let picoRuns = 10_000
    /// Wallets that a code refuses before it no longer counts.
    package static let picoAttempts = 5
    /// What a browser calls itself, in bytes.
    package static let picoBrowser = 256

    // MARK: Vaults

    /// Slots of a vault, the PIN slots not counted.
    package static let vaultSlots = 16
    /// Bytes of what a slot holds.
    package static let vaultSealed = 1...4_096
    /// Bytes of the salt for Argon2id.
    package static let vaultSalt = 16...64
    /// Compartments of an account.
    package static let vaultCompartments = 16
    /// Bytes of a compartment: its contents, uploads under way and metadata.
    package static let vaultQuota: Int64 = 20 << 30
    /// Files and folders of a compartment.
    package static let vaultNodes = 100_000
    /// The same with those that were removed: their ids stay, and wallets read a million at most.
    package static let vaultNodesEver = 500_000
    /// Files and folders of one change.
    package static let vaultChange = 1_000
    /// Bytes of metadata of all that one change moves to the trash, out of it, or away; a single item may always go.
    ///
    /// Their rows are written while everybody else's changes wait.
    static let vaultMoved: Int64 = 16 << 20
    /// Bytes of a compartment's head, and of an item's place or wrapped key.
    package static let vaultHead = 1...512
    package static let vaultKey = 1...256
    /// Bytes of an item's sealed metadata.
    package static let vaultMetadata = 1...262_144
    /// Items of one page, and bytes of base64 of their metadata.
    package static let vaultPage = 1...500
    package static let vaultPageDefault = 200
    package static let vaultPageBytes: Int64 = 4_194_304
    /// Bytes of each part of an upload; the last may be shorter.
    package static let vaultPart = Int64(Body.part.rawValue)
    /// Uploads of an account that no change has used.
    package static let vaultUploads: Int64 = 100
    /// Somebody else begins an upload in a compartment of the account only while there are fewer of them.
    package static let vaultGuestUploads: Int64 = 50
    /// Bytes up to which others fill a compartment with uploads: the rest is left to its owner.
    package static let vaultGuestQuota: Int64 = 15 << 30
    /// Versions of a file.
    package static let vaultVersions = 10
    /// Members of a compartment, and bytes of what is sealed to each.
    package static let vaultMembers = 50
    package static let vaultMemberSealed = 1...8_192
    /// Devices of one person that something is sealed to.
    package static let vaultDevices = 8
    /// Things in the inbox of a compartment.
    package static let vaultDrops: Int64 = 100
    /// Bytes of what is sealed to the inbox of a compartment, all things together, their contents not counted.
    package static let vaultInbox: Int64 = 8 << 20
    /// Working links of an account to things of its vault.
    package static let vaultLinks: Int64 = 200
    /// Bytes that are read at once of a content, where a piece can be read; a download holds three such pieces.
    package static let vaultPiece: Int64 = 1_048_576
    /// Downloads under way at once, of all and of one account.
    static let vaultDownloads = 128
    static let vaultDownloadsPerAccount = 16
    /// Unproved tries at a PIN of which the owner is told only after the time for the proof.
    package static let vaultQuietTries: Int64 = 3
}
