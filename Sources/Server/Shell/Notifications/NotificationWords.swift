import Encodings
import Interface
import Storage

/// What notices say, in the language of an account: that something waits; and what, if its owner wants that said.
struct NotificationWords: Sendable {
    let catalogue: WordCatalogue
    /// What notices of this server may say.
    let sentences: [NotificationDetail.Sentence]

    /// The language that the account keeps; English when it keeps none.
    static func of(_ account: String, _ environment: Environment) async throws -> NotificationWords {
        let language = try await environment.database.read {
            try AccountLanguageStore(transaction: $0).find(of: account)
        }
        let catalogue = try environment.catalogues().first { $0.code == language } ?? .english
        return NotificationWords(catalogue: catalogue, sentences: environment.slices.sentences)
    }

    /// The one sentence of a notice: a lock screen shows it to everybody.
    func sentence(_ kind: NotificationKind, isOver: Bool = false) -> String {
        catalogue(isOver ? Self.over : kind.isSecurity ? Self.security : Self.waiting)
    }

    /// The sentence, and what the notice is about if its way says that.
    func text(_ item: NotificationOutboxStore.Stored, _ kind: NotificationKind) -> String {
        let detail = item.isOver ? nil : item.detail.flatMap { NotificationDetail(stored: $0, of: sentences) }
        return ([sentence(kind, isOver: item.isOver)] + [detail?.text(catalogue)].compactMap(\.self)).joined(
            separator: " ")
    }

    /// The text with the way to see more, and why it came.
    func letter(_ item: NotificationOutboxStore.Stored, _ kind: NotificationKind, address: String) -> String {
        [text(item, kind), address, catalogue(Self.why)].joined(separator: "\n\n") + "\n"
    }

    /// Subject and text of the message that confirms an e-mail address.
    func confirmation(_ code: String) -> (subject: String, text: String) {
        (
            catalogue(Self.codeSubject),
            catalogue(Self.codeText).replacing("{0}", with: code) + "\n"
        )
    }

    /// The message that confirms a phone number: short, for it is paid by its length.
    func smsConfirmation(_ code: String) -> String { catalogue(Self.smsCodeText).replacing("{0}", with: code) }

    /// Every text of the server's own.
    static let keys =
        [waiting, security, over, why, codeSubject, codeText, smsCodeText]
        + Slice.all.sentences.map(\.words)

    private static let waiting = "Something waits for you in Countersign."
    private static let security = "The protection of your Countersign account has changed. Look at it."
    private static let over = "Nothing waits any more: it was decided elsewhere."
    private static let why =
        "You get this because your account has this address. Choose what you are told in Countersign: Settings, Notifications."
    private static let codeSubject = "Confirm your e-mail address for Countersign"
    private static let codeText =
        "Type this code in Countersign: {0}\n\nIf you did not ask for it, do nothing: without the code nothing is sent here."
    private static let smsCodeText = "Type this code in Countersign: {0}. If you did not ask for it, do nothing."
}
