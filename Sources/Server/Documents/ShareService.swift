import Encodings
import Interface
import Storage

/// Presentations by link: the server keeps ciphertext whose key is in the link's fragment, and asks for a code.
struct ShareService {
    let environment: Environment

    /// Ciphertext from a page, to be handed out by link and code.
    struct Sealed {
        /// Nonce, ciphertext and tag, base64url.
        var sealed: String
        var lifetime: Int64
        var maximumViews: Int
        /// Tells the link's key from others; empty where its maker has not told.
        var keyCheck = ""
        /// The document that it shows; empty where another slice's rows say what it does.
        var document = ""
    }

    /// Makes a link to a presentation of the account's own document.
    func create(_ request: NewShare, _ principal: Principal) async throws -> Share {
        let sealed = Sealed(
            sealed: request.sealed, lifetime: request.lifetime, maximumViews: request.maximumViews,
            keyCheck: request.keyCheck ?? "", document: request.document)
        return try await make(sealed, principal) { transaction in
            guard let document = try DocumentStore(transaction: transaction).find(id: request.document),
                document.holder == principal.account, document.deleted == nil
            else { throw DocumentError.notFound }
        }
    }

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - check: whether the account may show this; asked before anything is written, and again with the row.
    ///   - claim: stores what the link of this id shows, where it is no document.
    func make(
        _ request: Sealed, _ principal: Principal, check: @escaping @Sendable (Transaction) throws -> Void,
        claim: @escaping @Sendable (String, Transaction) throws -> Void = { _, _ in }
    ) async throws -> Share {
        guard Limits.shareTime.contains(request.lifetime), Limits.shareViews.contains(request.maximumViews),
            request.sealed.utf8.count <= Limits.sealedPackage,
            let sealed = Base64.decode(Bytes(text: request.sealed), .url), sealed.count > 28
        else { throw DocumentError.invalidShare }
        guard request.keyCheck.isEmpty || Self.isKeyCheck(request.keyCheck) else { throw DocumentError.invalidText }
        let now = environment.now()
        let isDocument = !request.document.isEmpty
        @Sendable func checkAll(_ transaction: Transaction) throws {
            try check(transaction)
            let open = try ShareStore(transaction: transaction).countOpen(
                account: principal.account, documents: isDocument, now: now)
            guard open < (isDocument ? Limits.shares : Limits.copies) else { throw DocumentError.tooManyOpen }
        }
        // Before anything is written, so that refused requests cannot fill the disk; and again with the row.
        try await environment.database.read { try checkAll($0) }
        let blob = environment.newIdentifier()
        try await environment.blobs.write(blob, sealed)
        let code = environment.humanCode(groups: 2)
        var share = Share(
            id: environment.newIdentifier(), document: request.document, created: now,
            expires: now + request.lifetime, views: 0, maximumViews: request.maximumViews, stopped: nil)
        let stored = ShareStore.Stored(
            share: share, account: principal.account, codeHash: environment.codeHash(code, purpose: share.id),
            failures: 0, blob: blob, keyCheck: request.keyCheck)
        let finished = try await environment.keepingBlob(blob) {
            try await environment.database.write { transaction in
                try checkAll(transaction)
                let store = ShareStore(transaction: transaction)
                try store.insert(stored)
                try claim(stored.share.id, transaction)
                return try store.finished(now: now)
            }
        }
        for blob in finished { try await environment.blobs.delete(blob) }
        share.code = code
        return share
    }

    /// Links by their ids, with who made them; those that are gone are left out.
    func find(_ ids: [String], in transaction: Transaction) throws -> [(share: Share, account: String)] {
        let store = ShareStore(transaction: transaction)
        return try ids.compactMap { try store.find(id: $0) }.map { ($0.share, $0.account) }
    }

    /// Deletes links.
    ///
    /// - Returns: their blobs, to be deleted after the commit.
    func delete(_ ids: [String], in transaction: Transaction) throws -> [String] {
        let store = ShareStore(transaction: transaction)
        return try ids.compactMap { id in
            let blob = try store.find(id: id)?.blob
            try store.delete(id: id)
            return blob
        }
    }

    /// How many links of everybody can still be opened.
    func countOpen(in transaction: Transaction, now: Int64) throws -> Int64 {
        try ShareStore(transaction: transaction).countOpen(now: now)
    }

    /// Stops every link.
    func stopAll(in transaction: Transaction, now: Int64) throws {
        try ShareStore(transaction: transaction).stopAll(at: now)
    }

    /// One page of a part of an account's own links to documents, or to one of them, the newest first.
    func list(
        _ principal: Principal, document: String?, _ part: ShareListStore.Part, _ request: ListRequest
    ) async throws -> Listing<Share> {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let store = ShareListStore(transaction: transaction)
            let (rows, next) = try store.page(
                account: principal.account, document: document, part, request, now: now)
            return Listing(
                rows.map(\.share), next: next?.text,
                counts: request.cursor == nil
                    ? try store.counts(account: principal.account, document: document, now: now) : nil)
        }
    }

    /// Stops a link at once: for its maker, or for anyone whom `mayStop` allows.
    func stop(
        _ id: String, _ principal: Principal, mayStop: @escaping @Sendable (Transaction) throws -> Bool = { _ in false }
    ) async throws {
        let now = environment.now()
        let blob = try await environment.database.write { transaction in
            let store = ShareStore(transaction: transaction)
            guard let stored = try store.find(id: id),
                try stored.account == principal.account || mayStop(transaction)
            else { throw DocumentError.notFound }
            try store.stop(id: id, at: now)
            return stored.blob
        }
        try await environment.blobs.delete(blob)
    }

    private static func isKeyCheck(_ text: String?) -> Bool {
        guard let text else { return true }
        return Base64.decode(Bytes(text: text), .url)?.count == 32
    }

    /// Gives the ciphertext to anyone who has the code.
    ///
    /// Five wrong codes end the link. An opening is spent by who has the key, and once for the same attempt.
    func open(_ id: String, _ opening: ShareOpening) async throws -> SharedPresentation {
        let now = environment.now()
        let hash = environment.codeHash(opening.code, purpose: id)
        guard Self.isKeyCheck(opening.keyCheck), (22...43).contains(opening.attempt?.utf8.count ?? 22) else {
            throw DocumentError.invalidText
        }
        let attempt = opening.attempt.map { attemptHash($0, of: id) } ?? ""
        enum Outcome { case opened(ShareStore.Stored), refused(DocumentError), stopped(blob: String) }
        let outcome = try await environment.database.write { transaction -> Outcome in
            let store = ShareStore(transaction: transaction)
            guard var stored = try store.find(id: id) else { return .refused(.notFound) }
            let isAgain = !attempt.isEmpty && stored.attempt == attempt && now < stored.attempted + Limits.shareAgain
            guard stored.share.stopped == nil, stored.share.expires > now, stored.failures < Limits.shareFailures,
                stored.share.views < stored.share.maximumViews || isAgain
            else { return .refused(.linkEnded) }
            guard Bytes(text: stored.codeHash).equalsInConstantTime(Bytes(text: hash)) else {
                return try store.countFailure(of: stored, at: now) ? .stopped(blob: stored.blob) : .refused(.wrongCode)
            }
            if let check = opening.keyCheck, !stored.keyCheck.isEmpty, check != stored.keyCheck {
                return .refused(.otherKey)
            }
            if !isAgain {
                try store.countView(id: id, attempt: attempt, at: now)
                stored.share.views += 1
            }
            return .opened(stored)
        }
        let stored: ShareStore.Stored
        switch outcome {
        case .opened(let found): stored = found
        case .refused(let error): throw error
        case .stopped(let blob):
            try await environment.blobs.delete(blob)
            throw DocumentError.wrongCode
        }
        guard let sealed = try await environment.blobs.read(stored.blob) else { throw DocumentError.linkEnded }
        return SharedPresentation(
            sealed: String(decoding: Base64.encode(sealed, .url), as: UTF8.self),
            viewsLeft: stored.share.maximumViews - stored.share.views)
    }

    /// Takes an opening back whose page could show nothing: an opening counts when something was shown.
    ///
    /// Nobody can see whether that is true, so a link gives back at most three. An attempt that is not the last one, or
    /// older than ``Limits/shareAgain``, changes nothing.
    func giveBack(_ id: String, _ attempt: ShareAttempt) async throws {
        guard (22...43).contains(attempt.attempt.utf8.count) else { throw DocumentError.invalidText }
        let now = environment.now()
        let hash = attemptHash(attempt.attempt, of: id)
        try await environment.database.write { transaction in
            let store = ShareStore(transaction: transaction)
            guard let stored = try store.find(id: id) else { throw DocumentError.notFound }
            guard stored.share.stopped == nil, stored.attempt == hash, now < stored.attempted + Limits.shareAgain,
                stored.returned < Limits.shareReturns
            else { return }
            try store.giveBack(id: id)
        }
    }

    private func attemptHash(_ attempt: String, of id: String) -> String {
        environment.codeHash(attempt, purpose: "attempt \(id)")
    }

    /// Stops links whose time or views are over, and removes what they showed.
    ///
    /// - Returns: how many, at most `ShareStore.finishedTogether`.
    func endFinished() async throws -> Int {
        let now = environment.now()
        let blobs = try await environment.database.write { try ShareStore(transaction: $0).finished(now: now) }
        for blob in blobs { try await environment.blobs.delete(blob) }
        return blobs.count
    }
}
