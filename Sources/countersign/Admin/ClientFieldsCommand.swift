import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin client-fields`.
struct ClientFieldsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client-fields",
        abstract: "Show or set what the desk asks of clients beyond name and number: the main administrator.",
        discussion: """
            Without options it shows them. A removed field hides what clients have in it, until it is restored.

              countersign wallet admin client-fields --add Telephone --required
              countersign wallet admin client-fields --add Plan --kind choice --choice Basic --choice Gold
              countersign wallet admin client-fields --remove Telephone
              countersign wallet admin client-fields --restore Telephone
            """)

    @Option(help: "Add a field with this label, behind the others.") var add: String?
    @Option(help: "The kind of its content: text, number, date or choice.", transform: Self.read)
    var kind: ClientField.Kind = .text
    @Option(help: "One of the choices; give 2 to 20.") var choice: [String] = []
    @Flag(help: "It must be filled in.") var required = false
    @Option(help: "Remove the field with this label.") var remove: String?
    @Option(help: "Ask again for the field with this label, which was removed.") var restore: String?
    @OptionGroup var options: WalletOptions

    private static func read(_ text: String) throws -> ClientField.Kind {
        guard let kind = ClientField.Kind(rawValue: text) else {
            throw ValidationError("--kind: text, number, date or choice")
        }
        return kind
    }

    func validate() throws {
        guard [add, remove, restore].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("give one of --add, --remove and --restore")
        }
        guard add != nil || (kind == .text && choice.isEmpty && !required) else {
            throw ValidationError("--kind, --choice and --required are about the field of --add")
        }
    }

    func run() async throws {
        let client = try await options.unlock()
        let present = try await client.clientFields()
        guard let wanted = try change(of: present) else { return try show(present) }
        let (changed, act) = try await client.setClientFields(ClientFields(fields: wanted))
        guard !options.output.json else { return try Output.print(value: changed) }
        try show(changed)
        Output.line("Changed. In the log as entry \(act.index).")
    }

    /// All fields as they are to be; `nil` where nothing is to be changed.
    private func change(of present: ClientFields) throws -> [ClientField]? {
        if let add {
            let field = ClientField(
                label: add, kind: kind, choices: choice.isEmpty ? nil : choice, isRequired: required)
            return present.fields + [field]
        }
        if let remove {
            guard present.fields.contains(where: { $0.label == remove }) else {
                throw ValidationError("no field is called so: \(remove)")
            }
            return present.fields.filter { $0.label != remove }
        }
        guard let restore else { return nil }
        guard let field = present.removed?.first(where: { $0.label == restore }) else {
            throw ValidationError("no field that was removed is called so: \(restore)")
        }
        return present.fields + [field]
    }

    private func show(_ fields: ClientFields) throws {
        guard !options.output.json else { return try Output.print(value: fields) }
        if fields.fields.isEmpty { Output.line("Nothing is asked beyond name and number.") }
        for field in fields.fields { Output.line(words(field)) }
        for field in fields.removed ?? [] { Output.line("removed: \(words(field))") }
    }

    private func words(_ field: ClientField) -> String {
        let choices = field.choices.map { ": \($0.map { Bytes(text: $0).shown }.joined(separator: ", "))" } ?? ""
        let label = Bytes(text: field.label).shown
        return "\(label) (\(field.kind.rawValue)\(choices)\(field.isRequired ? ", required" : ""))"
    }
}
