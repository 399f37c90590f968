import Interface
import Storage

/// Ciphertext that comes in parts, in any order, as often as it takes.
struct VaultUploads: Sendable {
    let environment: Environment

    func begin(_ request: NewVaultUpload, _ principal: Principal) async throws -> VaultUpload {
        guard (1...Limits.vaultQuota).contains(request.size) else { throw VaultError.invalidSize }
        let id = environment.newIdentifier()
        let now = environment.now()
        let expires = now + Limits.vaultUploadTime
        let content = try await environment.database.write { transaction in
            let compartments = VaultCompartmentStore(transaction: transaction)
            let compartment = try compartments.require(
                request.compartment, .drop, for: principal.account, now: now)
            let store = VaultContentStore(transaction: transaction)
            // Others leave the owner some of both.
            let isGuest = compartment.account != principal.account
            let (uploads, quota) =
                isGuest
                ? (Limits.vaultGuestUploads, Limits.vaultGuestQuota) : (Limits.vaultUploads, Limits.vaultQuota)
            guard try store.countOpen(account: compartment.account) < uploads else { throw VaultError.tooManyUploads }
            guard compartment.bytes + request.size <= quota else { throw VaultError.quota }
            let content = VaultContentStore.Stored(
                id: id, account: compartment.account, compartment: compartment.id, size: request.size,
                expires: expires)
            try store.insert(content)
            try compartments.add(compartment.id, bytes: request.size)
            return content
        }
        return content.shown(received: [], until: expires)
    }

    func find(_ id: String, _ principal: Principal) async throws -> VaultUpload {
        try await environment.database.read { transaction in
            let (content, expires) = try open(id, principal, in: transaction)
            let parts = try VaultContentStore(transaction: transaction).parts(id)
            return content.shown(received: parts.map(\.number), until: expires)
        }
    }

    /// Stores a part; a second time it changes nothing.
    ///
    /// The bytes are durable before the row that names them. Each attempt has a name of its own, so that the sweep of
    /// orphans can never take what a repetition has just written.
    func put(_ number: Int64, of id: String, _ pieces: RequestPieces, _ principal: Principal) async throws {
        let (content, old) = try await environment.database.read { transaction in
            let content = try open(id, principal, in: transaction).content
            return (content, try VaultContentStore(transaction: transaction).part(number, of: id))
        }
        guard let length = content.length(ofPart: number) else { throw VaultError.notFound }
        guard pieces.declaredLength.map({ $0 == length }) ?? true else { throw VaultError.invalidPart }
        if let old { return try await compare(old, with: pieces) }
        let blob = "\(content.folder)/\(number).\(environment.newIdentifier().prefix(8))"
        do {
            try await write(pieces, of: length, to: blob)
        } catch let error as StorageError {
            // An upload that is removed while a part comes takes its folder along: that is no fault of the storage.
            _ = try await environment.database.read { transaction in try open(id, principal, in: transaction) }
            throw error
        }
        let expires = environment.now() + Limits.vaultUploadTime
        let other = try await environment.keepingBlob(blob) {
            try await environment.database.write { transaction -> VaultContentStore.Part? in
                let store = VaultContentStore(transaction: transaction)
                let content = try open(id, principal, in: transaction).content
                if let other = try store.part(number, of: id) { return other }
                try store.insert(VaultContentStore.Part(number: number, blob: blob, size: length), of: content)
                try store.setExpiry(id, expires)
                return nil
            }
        }
        guard let other else { return }
        // Two brought the same part at once.
        let bytes = try await environment.blobs.read(blob)
        try await environment.blobs.delete(blob)
        try await compare(other, with: bytes)
    }

    /// Compares while the part comes: as many may bring one again as bring one.
    private func compare(_ part: VaultContentStore.Part, with pieces: RequestPieces) async throws {
        let blobs = environment.blobs
        // A bucket gives it whole: then only once.
        let whole = blobs.readsPieces ? nil : try await blobs.read(part.blob)
        try await pieces.read { next in
            var offset = 0
            while let piece = try await next() {
                let stored: [UInt8]? =
                    if let whole {
                        Array(whole.dropFirst(offset).prefix(piece.count))
                    } else {
                        try await blobs.read(part.blob, from: Int64(offset), count: piece.count)
                    }
                guard stored == piece else { throw VaultError.otherPart }
                offset += piece.count
            }
            guard offset == part.size else { throw VaultError.otherPart }
        }
    }

    /// Stores a part as it comes: so it is durable soon after its last byte.
    private func write(_ pieces: RequestPieces, of length: Int64, to blob: String) async throws {
        try await pieces.read { [blobs = environment.blobs] next in
            var left = length
            try await blobs.write(blob) {
                let piece = try await next()
                left -= Int64(piece?.count ?? 0)
                guard piece == nil ? left == 0 : left >= 0 else { throw VaultError.invalidPart }
                return piece
            }
        }
    }

    private func compare(_ part: VaultContentStore.Part, with bytes: [UInt8]?) async throws {
        guard try await environment.blobs.read(part.blob) == bytes else { throw VaultError.otherPart }
    }

    func remove(_ id: String, _ principal: Principal) async throws {
        try await environment.database.write { transaction in
            let content = try open(id, principal, in: transaction).content
            try VaultContentStore(transaction: transaction).delete(id)
            try VaultCompartmentStore(transaction: transaction).add(content.compartment, bytes: -content.size)
        }
        await environment.deleteVaultContents([id])
    }

    /// An upload that no version has yet, of a compartment in which the account may leave things.
    private func open(
        _ id: String, _ principal: Principal, in transaction: Transaction
    ) throws -> (content: VaultContentStore.Stored, expires: Int64) {
        guard let content = try VaultContentStore(transaction: transaction).find(id), let expires = content.expires,
            try !VaultDropStore(transaction: transaction).has(content: id)
        else { throw VaultError.notFound }
        _ = try VaultCompartmentStore(transaction: transaction).require(
            content.compartment, .drop, for: principal.account, now: environment.now())
        return (content, expires)
    }
}

extension VaultContentStore.Stored {
    fileprivate func shown(received: [Int64], until expires: Int64) -> VaultUpload {
        VaultUpload(
            id: id, size: size, part: Limits.vaultPart, parts: parts, received: received, expires: expires)
    }
}
