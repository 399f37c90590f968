import Encodings
package import Interface

/// The desk: clients, its documents, transactions.
///
/// The program has commands for fields alone. The other acts need a pen and a person who holds it: the load that
/// servers must survive uses them.
extension ServerClient {
    package func setForensicKey(_ key: ForensicKey) async throws -> Acknowledgement {
        try await put("/api/desk/forensic-key", key)
    }
    package func clientFields() async throws -> ClientFields { try await get("/api/desk/fields") }
    package func setClientFields(_ fields: ClientFields) async throws -> ClientFields {
        try await put("/api/desk/fields", fields)
    }
    /// The first page of the clients whose names begin so.
    package func clients(named words: String) async throws -> Listing<Client> {
        try await get("/api/clients?q=\(Self.queryValue(words))")
    }
    package func setFields(of client: String, _ values: ClientFieldValues) async throws -> ClientAct {
        try await put("/api/clients/\(Self.segment(client))/fields", values)
    }
    package func addText(_ content: WorkspaceContent) async throws -> WorkspaceDocument {
        try await post("/api/workspace", content)
    }
    package func removeText(_ id: String) async throws { try await delete("/api/workspace/\(Self.segment(id))") }
    /// A document as one client would sign it, with the ticket for that.
    package func render(_ document: String, for client: String) async throws -> Rendering {
        try await post("/api/workspace/\(Self.segment(document))/rendering", RenderingRequest(client: client))
    }
    package func client(_ id: String) async throws -> Client { try await get("/api/clients/\(Self.segment(id))") }
    package func enrol(_ client: NewClient) async throws -> ClientAct { try await post("/api/clients", client) }
    package func reenrol(_ client: String, _ enrolment: Reenrolment) async throws -> ClientAct {
        try await post("/api/clients/\(Self.segment(client))/enrolment", enrolment)
    }
    package func erase(client: String, _ reason: Reason) async throws -> Acknowledgement {
        try await post("/api/clients/\(Self.segment(client))/erasure", reason)
    }
    package func open(_ signing: NewSigning) async throws -> Signing { try await post("/api/signings", signing) }
    package func signing(_ id: String) async throws -> Signing { try await get("/api/signings/\(Self.segment(id))") }
    package func confirm(signing id: String) async throws -> Signing {
        try await post("/api/signings/\(Self.segment(id))/confirm")
    }
    package func refuse(signing id: String, _ reason: Reason) async throws -> Signing {
        try await post("/api/signings/\(Self.segment(id))/refuse", reason)
    }

    /// Text as the value of a query (RFC 3986, section 3.4): every byte in hexadecimal, which needs no list of safe
    /// bytes.
    private static func queryValue(_ text: String) -> String {
        text.utf8.map { "%" + String(decoding: Hex.encode([$0]), as: UTF8.self) }.joined()
    }
}
