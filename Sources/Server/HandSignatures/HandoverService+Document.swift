import Encodings
import Interface
import Storage

extension HandoverService {
    /// The document that is signed on the other device, for the person who reads it there.
    ///
    /// It is made again, and given only if it equals, byte for byte, the one that the desk shows.
    ///
    /// - Throws: `handoverNotFound`, `handoverOver`; `documentNotFound` where no document is signed, or it is gone;
    ///   `otherDocument` where it has changed since.
    func document(_ request: HandoverCode) async throws -> HandoverDocument {
        let (hash, now) = (environment.codeHash(request.code, purpose: Self.purpose), environment.now())
        let (ticket, client) = try await environment.database.read { transaction in
            let stored = try Self.open(hash, in: transaction, now: now)
            guard let ticket = try TicketStore(transaction: transaction).find(hash: stored.ticket),
                ticket.expires > now,
                let client = try ClientStore(transaction: transaction).find(id: ticket.client), client.erased == nil
            else { throw HandSignatureError.documentNotFound }
            return (ticket, client)
        }
        let rendered = try await WorkspaceService(environment: environment).render(
            ticket.document, client: client,
            details: try ClientService(environment: environment, judge: judge).details(client))
        guard box.isIndex(ticket.digest, ofDigest: rendered.digest) else { throw HandSignatureError.otherDocument }
        return HandoverDocument(
            name: rendered.name, mediaType: rendered.mediaType, content: rendered.bytes.base64URL)
    }
}
