import Encodings
import Interface
import Storage

/// The fields that the organisation asks of its clients, beyond name and number.
struct ClientFieldService {
    let environment: Environment

    func fields() async throws -> ClientFields {
        try await environment.database.read { transaction in
            let store = ClientFieldStore(transaction: transaction)
            return ClientFields(fields: try store.fields(), removed: try store.removed())
        }
    }

    /// Changes what is asked.
    ///
    /// A field that is left out is removed: what clients have in it is hidden, and there again when the
    /// field is.
    ///
    /// The log says who did it, and neither labels nor values.
    func change(_ request: ClientFields, _ principal: Principal) async throws -> ClientFields {
        guard request.removed == nil, request.receipt == nil else {
            throw HandSignatureError.invalid("fields: only these are set.")
        }
        let now = environment.now()
        let (fields, index) = try await environment.database.write { transaction in
            let store = ClientFieldStore(transaction: transaction)
            let known = try store.fields() + store.removed()
            var fields = try ClientFieldRules.check(request.fields, known: known)
            let added = fields.count { $0.id == nil }
            guard known.count + added <= Limits.clientFieldsEver else {
                throw HandSignatureError.tooMany(
                    "There were \(Limits.clientFieldsEver) fields already. Take one back that was removed.")
            }
            for place in fields.indices where fields[place].id == nil {
                fields[place].id = environment.newIdentifier()
            }
            try store.set(fields, at: now)
            let index = try environment.log.record(
                TrustEvent(
                    .deskChanged, account: principal.account,
                    [("by", .text(principal.account)), ("client_fields", .integer(Int64(fields.count)))]),
                in: transaction, now: now)
            return (ClientFields(fields: fields, removed: try store.removed()), index)
        }
        var changed = fields
        changed.receipt = try await environment.log.receipt(index)
        return changed
    }
}

extension ClientService {
    /// Sets what a client has in the fields that are asked; what they have in removed ones stays hidden.
    func setFields(
        _ id: String, _ request: ClientFieldValues, _ principal: Principal
    ) async throws -> ClientAct {
        let now = environment.now()
        let (client, index) = try await environment.database.write { transaction in
            let clients = ClientStore(transaction: transaction)
            guard var stored = try clients.find(id: id), let template = try clients.template(client: id) else {
                throw HandSignatureError.clientNotFound
            }
            let asked = try ClientFieldStore(transaction: transaction).fields()
            var details = try details(stored)
            let values = try ClientFieldRules.check(request.fields, of: asked)
            let changed = asked.filter { field in field.id.map { details.fields[$0] != values[$0] } ?? false }
            details.fields = details.fields.filter { id, _ in !asked.contains { $0.id == id } }
                .merging(values) { $1 }
            stored.sealed = try seal(details, of: id)
            try clients.update(stored)
            let index = try history.enter(
                try change(of: changed, id, template: template.id, principal, in: transaction, now: now),
                as: .clientChanged, in: transaction)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        // The earlier value may be something that nobody should know any more.
        await environment.scrubAfterAct()
        return ClientAct(client: client, comparison: nil, receipt: try await environment.log.receipt(index))
    }

    /// The act of changing some fields, as the history keeps it.
    ///
    /// No paper, no word that the person was identified: fields say nothing about who the client is.
    private func change(
        of fields: [ClientField], _ client: String, template: String, _ principal: Principal,
        in transaction: Transaction, now: Int64
    ) throws -> DeskAct {
        guard let account = try AccountStore(transaction: transaction).find(id: principal.account) else {
            throw HandSignatureError.clientNotFound
        }
        return DeskAct(
            .fieldsChanged, client: client, template: template, by: account, paper: "", reason: "",
            Circumstances(identified: false, device: ""), fields: fields.map(\.label), time: now,
            salt: environment.randomText(32))
    }

    /// The values of a new client in the fields that are asked.
    func checked(_ values: [ClientFieldValue]) async throws -> [String: String] {
        let asked = try await environment.database.read { try ClientFieldStore(transaction: $0).fields() }
        return try ClientFieldRules.check(values, of: asked)
    }

    /// The columns of a file of clients behind those that every one has: what the organisation asks.
    func fieldColumns() async throws -> [TableColumn<Client>] {
        try await environment.database.read { try ClientFieldStore(transaction: $0).fields() }.map { field in
            .text(field.label) { client in client.fields?.first { $0.field == field.id }?.value }
        }
    }

    /// Gives rows of a list what the clients have in the fields that are asked.
    func addFields(to clients: [Client], in transaction: Transaction) throws -> [Client] {
        let asked = try ClientFieldStore(transaction: transaction).fields()
        guard !asked.isEmpty else { return clients }
        let rows = try ClientStore(transaction: transaction).find(ids: clients.map(\.id))
        return try clients.map { client in
            var client = client
            client.fields = try rows[client.id].map { try details($0).values(of: asked) }
            return client
        }
    }
}
