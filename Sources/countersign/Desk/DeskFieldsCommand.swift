import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign desk fields`.
struct DeskFieldsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fields", abstract: "Show or change what a client has in the organisation's fields.",
        discussion: """
            Without options it shows them. Fields that you do not name stay as they are. The client's history says who changed \
            which fields, and not what was in them. 'countersign wallet admin client-fields' defines the fields.

              countersign desk fields CLIENT
              countersign desk fields CLIENT --set Telephone='+49 30 1234567' --set Born=1815-12-10
              countersign desk fields CLIENT --clear Telephone
            """)

    @Argument(help: "The client's id, as 'countersign desk clients' shows it.") var client: String
    @Option(help: "Put a value into a field, LABEL=VALUE; may be repeated.") var set: [String] = []
    @Option(help: "Empty the field with this label; may be repeated.") var clear: [String] = []
    @OptionGroup var options: WalletOptions

    func validate() throws {
        let labels = try set.map { try Self.parse($0).label } + clear
        guard Set(labels).count == labels.count else { throw ValidationError("name each field once") }
    }

    func run() async throws {
        let wallet = try await options.unlock()
        let asked = try await wallet.clientFields().fields
        let present = try await wallet.client(client)
        guard let wanted = try change(of: present, asked) else { return try show(present, asked) }
        let (changed, act) = try await wallet.setFields(of: client, wanted)
        try show(changed, asked, act)
    }

    /// All values as they are to be; `nil` where nothing is to be changed.
    private func change(of present: Client, _ asked: [ClientField]) throws -> [ClientFieldValue]? {
        guard !set.isEmpty || !clear.isEmpty else { return nil }
        var values = present.fields ?? []
        for (label, value) in try set.map(Self.parse) + clear.map({ ($0, "") }) {
            guard let id = asked.first(where: { $0.label == label })?.id else {
                let labels = asked.map(\.label).joined(separator: ", ")
                throw CommandError(
                    "no field is called '\(label)'; \(labels.isEmpty ? "there is none" : "there is: \(labels)")",
                    isRefusal: true)
            }
            values.removeAll { $0.field == id }
            if !value.isEmpty { values.append(ClientFieldValue(field: id, value: value)) }
        }
        return values
    }

    /// `LABEL=VALUE`; a label with an equals sign in it cannot be named here.
    private static func parse(_ text: String) throws -> (label: String, value: String) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw ValidationError("--set: '\(text)' is not LABEL=VALUE")
        }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    private func show(_ client: Client, _ asked: [ClientField], _ act: LoggedAct? = nil) throws {
        func value(_ field: ClientField) -> String? { client.fields?.first { $0.field == field.id }?.value }
        guard !options.output.json else {
            let fields = asked.map { field in
                JSON.members([
                    ("field", .text(field.id ?? "")), ("label", .text(field.label)),
                    ("value", value(field).map(JSON.text) ?? .null),
                ])
            }
            return Output.print(
                .members(
                    [("client", .text(client.id)), ("fields", .array(fields))]
                        + (act.map { [("log_index", .integer($0.index))] } ?? [])))
        }
        if asked.isEmpty { Output.line("Nothing is asked beyond name and number.") }
        for field in asked {
            Output.line("\(Bytes(text: field.label).shown): \(value(field).map { Bytes(text: $0).shown } ?? "—")")
        }
        if let act { Output.act(act) }
    }
}
