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
        /// Certificates, several keys, lists.
        case medium = 262_144
        /// A sealed document, base64: 12 MiB of ciphertext and its envelope.
        case document = 16_842_752

        /// From a request's head to the end of its body: a document may come over half a megabit a second.
        package var time: Duration { self == .document ? .seconds(270) : Limits.bodyTime }
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
    package static let walked = 1_800
    /// Entries of a word that are sorted for one page of a search by name.
    package static let sortedEntries = 10_000
    /// Words that begin alike and whose entries are merged for one page of a search by name.
    package static let mergedWords = 50
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
    /// Enrolments that a service has open at once.
    package static let approvalOffers: Int64 = 1_000
    /// Devices that one user has at a service.
    package static let approvalDevices = 10
    /// Recovery codes of an account.
    package static let approvalRecoveryCodes = 10
    /// Requests for approval that wait for one account.
    package static let pendingApprovals = 100
    /// Browsers of one account that get notices through a push service.
    package static let pushSubscriptions = 10
    /// The address of a push subscription, in bytes.
    package static let pushEndpoint = 1_024
    /// Bytes of the address of a service's webhook.
    package static let webhookAddress = 1...500
    /// E-mail addresses of one account that get notices.
    package static let emailAddresses = 2
    /// Codes that are sent to e-mail addresses for one account in a day.
    package static let emailCodes = 3
    /// Wrong codes until another has to be sent.
    package static let emailTries: Int64 = 5
    /// Notices of one account that wait to be delivered; those about its protection are never left out.
    package static let waitingNotifications = 500
    /// Notices that are delivered at once.
    package static let deliveries = 32
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
    /// Acts and tries that a client's history shows, the newest.
    package static let history = 200
    /// Tickets of shown documents that one operator holds; one more ends the oldest.
    package static let tickets = 32
    /// Transactions that are refused at once when their client is enrolled again; more of them cannot be confirmed.
    package static let endedByEnrolment = 64
    /// Certifications that one administrator's account may have asked for.
    package static let delegationsPerAccount = 32
    /// Requests with a large body under way at once.
    package static let largeBodies = 8
    /// Requests with a large body that one account has under way at once.
    package static let largeBodiesPerAccount = 2
    /// Live-update streams of one account; one more ends the oldest.
    package static let streamsPerAccount = 8
    /// Live-update streams of all accounts together, unless the operator sets another number.
    package static let streams = 10_000
    /// The highest number of streams that an operator may set.
    package static let mostStreams = 100_000
    /// Live updates waiting for one slow listener; one more ends its stream.
    package static let waitingEvents = 64
    /// Connections open at once beside those of live updates; further ones wait in the listen queue.
    package static let connections = 4_096
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

    // MARK: Times

    /// From a request's head to the end of its body, unless that is a document.
    package static let bodyTime: Duration = .seconds(30)
    /// From the end of a request to the head of its answer.
    package static let answerTime: Duration = .seconds(60)
    /// From the beginning of a connection, or of a further request on it, to the end of the request's head.
    package static let headTime: Duration = .seconds(10)
    /// From an answer to the beginning of the next request: longer than proxies keep a connection by default, so that it
    /// is they who close it.
    package static let keepAliveTime: Duration = .seconds(75)
    /// A connection on which nothing is sent.
    package static let idleTime: Duration = .seconds(90)
    /// Between comments on a quiet live-update stream.
    package static let heartbeat: Duration = .seconds(15)
    /// In so many groups, one after the other: an event would have to wait until thousands had theirs.
    package static let heartbeatGroups = 30
    /// Requests under way when the server is told to stop.
    package static let stopTime: Duration = .seconds(15)
    /// One readiness check.
    package static let readinessTime: Duration = .seconds(5)
    /// A session, in seconds.
    package static let sessionTime: Int64 = 12 * 3_600
    /// How far the clocks of wallet and server may differ, in seconds.
    package static let clockDifference: Int64 = 300
    /// A sign-in nonce, in seconds.
    package static let signInNonceTime: Int64 = 300
    /// A challenge to make a passkey or to sign in with one, in seconds.
    package static let passkeyChallengeTime: Int64 = 300
    /// A ceremony that confirms a session, in seconds.
    package static let ceremonyTime: Int64 = 120
    /// How long a session counts as confirmed, in seconds.
    package static let confirmationTime: Int64 = 300
    /// A pairing, in seconds.
    package static let pairingTime: Int64 = 900
    /// How long a pairing that is over can still be looked at, in seconds.
    package static let pairingMemory: Int64 = 86_400
    /// An invitation, in seconds: from a minute to 30 days.
    package static let invitationTime: ClosedRange<Int64> = 60...2_592_000
    /// A code that lets the main administrator back in, in seconds.
    package static let recoveryTime: Int64 = 3_600
    /// An offer to enrol a device at a service, in seconds.
    package static let approvalOfferTime: Int64 = 600
    /// How long an offer that is over can still be looked at, in seconds.
    package static let approvalOfferMemory: Int64 = 86_400
    /// How long somebody who has lost their devices waits for others to say no, and how long new recovery codes wait, in
    /// seconds: three days.
    package static let approvalRecoveryWait: Int64 = 3 * 86_400
    /// How long a device can be enrolled after that wait, in seconds.
    package static let approvalRecoveryTime: Int64 = 86_400
    /// A request for approval, in seconds: from ten to a week.
    package static let approvalTime: ClosedRange<Int64> = 10...604_800
    /// A challenge of version 1, in seconds: from ten to an hour.
    package static let originalTime: ClosedRange<Int64> = 10...3_600
    /// How long a request for approval that is over is kept with its receipt, in seconds: 90 days.
    package static let approvalMemory: Int64 = 90 * 86_400
    /// How long a service may wait for an answer in one request, in seconds.
    package static let approvalWait: Int64 = 25
    /// A code that was sent to an e-mail address, in seconds.
    package static let emailCodeTime: Int64 = 1_800
    /// Between two looks for notices that are due, if nothing rings.
    package static let notificationWatch: Duration = .seconds(15)
    /// Further looks after a ring.
    package static let notificationLooks: [Duration] = [.milliseconds(200), .seconds(1), .seconds(3)]
    /// How long one delivery may take until another process tries the same, in seconds.
    package static let deliveryLease: Int64 = 90
    /// After a delivery that failed, in seconds: from the first pause to the longest.
    package static let deliveryPause: ClosedRange<Int64> = 15...3_600
    /// A share link, in seconds: from a minute to a year.
    package static let shareTime: ClosedRange<Int64> = 60...31_536_000
    /// A face-to-face check, in seconds.
    package static let enrolmentTime: Int64 = 900
    /// Characters that find a face-to-face check, in seconds.
    package static let typedCodeTime: Int64 = 300

    /// How long an operator may think about a signature, in seconds.
    package static let signingTime: Int64 = 900
    /// How long a document that is shown can be signed, in seconds: read it together, then sign.
    package static let ticketTime: Int64 = 1_800
    /// How long failed attempts stay on record, in seconds: a year.
    package static let attemptMemory: Int64 = 365 * 86_400
    /// From a template to the signatures of a second visit, in seconds: waiting at the desk is not a second visit.
    package static let secondSittingRest: Int64 = 12 * 3_600
    /// A code for signing on another device, in seconds.
    package static let handoverTime: Int64 = 600
    /// How much of the status signer's certificate is always left while the root is here, in seconds: a year.
    package static let statusSignerMargin: Int64 = 365 * 86_400
    /// From when on the end of a certificate is warned of, in seconds: 60 days.
    package static let renewalWarning: Int64 = 60 * 86_400
    /// Between two looks at the certificates.
    package static let certificateWatch: Duration = .seconds(86_400)

    // MARK: Rates

    /// A token bucket: `burst` at once, then `perMinute`.
    package struct Rate: Sendable, Equatable {
        /// Names the bucket in keys and metrics.
        package let name: String
        /// How many at once.
        package let burst: Double
        /// How many in each further minute.
        package let perMinute: Double

        /// Reading what is public.
        package static let reading = Rate(name: "reading", burst: 300, perMinute: 1_200)
        /// Pages and the many small files that each loads: a whole office may be behind one address.
        package static let page = Rate(name: "page", burst: 6_000, perMinute: 24_000)
        /// Errors shown as pages.
        package static let problemPage = Rate(name: "problem-page", burst: 60, perMinute: 120)
        /// Looking something up on another server: one of ours asks it.
        package static let lookup = Rate(name: "lookup", burst: 20, perMinute: 20)
        /// A challenge, a share link's code, set-up: cheap to ask, worth guessing at.
        package static let asking = Rate(name: "asking", burst: 60, perMinute: 120)
        /// Signing in, by address: a household or a small office behind one.
        package static let signIn = Rate(name: "sign-in", burst: 30, perMinute: 20)
        /// Signing in without the proof of a registered device, by account name and network, whether or not it exists.
        package static let signInByAccount = Rate(name: "sign-in-account", burst: 10, perMinute: 5)
        /// The same from all networks together.
        package static let signInByName = Rate(name: "sign-in-name", burst: 100, perMinute: 20)
        /// Signing in with the proof of a registered device, by device: no stranger can use it up.
        package static let signInByDevice = Rate(name: "sign-in-device", burst: 10, perMinute: 5)
        /// Confirming that the person is there, by account.
        package static let confirming = Rate(name: "confirming", burst: 60, perMinute: 60)
        /// Wrong characters of a check, by the administrator who typed them: after ten, one in the life of a code.
        package static let typedCode = Rate(name: "typed-code", burst: 10, perMinute: 0.2)
        /// The same by address: an office of administrators behind one.
        package static let typedCodeByAddress = Rate(name: "typed-code-address", burst: 30, perMinute: 1)
        /// Devices that ask to be added, by address.
        package static let pairing = Rate(name: "pairing", burst: 20, perMinute: 10)
        /// Devices that ask to be added, by account name, whether or not it exists.
        package static let pairingByAccount = Rate(name: "pairing-account", burst: 10, perMinute: 5)
        /// New accounts by one address.
        package static let signUp = Rate(name: "sign-up", burst: 60, perMinute: 20)
        /// Session tokens that were not accepted.
        package static let badToken = Rate(name: "bad-token", burst: 60, perMinute: 60)
        /// Everything that another program does with its API key.
        package static let program = Rate(name: "program", burst: 1_200, perMinute: 12_000)
        /// Everything that an account does with a session.
        package static let account = Rate(name: "account", burst: 600, perMinute: 3_000)
    }
}
