import HTTPTypes
import Hummingbird

/// The text of a page about a problem: for people, whereas the texts of `ProblemKind` are for programs.
struct ProblemPage: Sendable, Equatable {
    /// What happened, as a heading.
    let title: String
    /// What that means and what to do next.
    let text: String
    /// Whether the detail of the problem itself helps the reader of the page.
    var showsDetail = false
    /// Whether signing in may help.
    var signsIn = false
    /// Whether loading the page again may help.
    var reloads = false
    /// For how long to wait, if the problem says it.
    private var seconds: Int?
    /// The key of the text in catalogues.
    private var key: String

    /// The words for a problem.
    init(_ problem: Problem) {
        switch problem.kind {
        case .notFound:
            self.init(
                "There is no such page",
                "The address may be mistyped, or what was here is gone. Check it, or start from the first page.")
        case .gone:
            self.init(
                "This is over",
                "It has expired, was used or was stopped. Ask the person who sent it to you for a new one.")
        case .unauthenticated, .signInFailed:
            self.init(
                "Sign in first", "You are not signed in, or your session has ended. Sign in and open the page again.",
                signsIn: true)
        case .sessionLocked:
            self.init(
                "This session is locked",
                "The wallet that signed you in no longer answers. Let it go on, or sign in again.", signsIn: true)
        case .forbidden, .deviceRequired, .confirmationRequired, .confirmationFailed, .wrongCode:
            self.init(
                "You may not open this",
                "Your account does not have the permission. Sign in with another account, or ask your administrator.",
                showsDetail: true, signsIn: true)
        case .methodNotAllowed:
            self.init(
                "This address is not a page", "Programs use it in another way. Start from the first page instead.")
        case .tooLarge:
            self.init(
                "What you sent is too large",
                "Nothing was stored. Go back, choose something smaller and send it again.", showsDetail: true)
        case .targetTooLong, .headersTooLarge:
            self.init(
                "The address is too long",
                "The server did not read it. Check that you copied the link and nothing else.", showsDetail: true)
        case .badRequest, .invalidJSON, .unknownMember, .invalidMember, .unsupportedMediaType, .rangeNotSatisfiable:
            self.init(
                "The server could not read this", "Nothing was stored. Go back and try again.", showsDetail: true)
        case .conflict:
            self.init(
                "This does not work at the moment", "Load the page again and look at what has changed.",
                showsDetail: true, reloads: true)
        case .requestTimeout:
            self.init(
                "The connection was too slow",
                "The server stopped waiting. Check your connection and load the page again.", reloads: true)
        case .tooManyRequests:
            self.init("Too many requests", waiting: problem, "Your network has asked for too much")
        case .busy:
            self.init("The server is busy", waiting: problem, "Nothing was done")
        case .storage, .storageUnreachable, .unwitnessed:
            self.init(
                "The server cannot store or find anything now",
                "Your keys and documents are not affected. Load the page again later; if it goes on, tell the operator.",
                reloads: true)
        case .internal:
            self.init(
                "Something went wrong in the server",
                "It is not your fault. Load the page again; if it goes on, tell the operator the number below.",
                reloads: true)
        }
    }

    private init(
        _ title: String, _ text: String, showsDetail: Bool = false, signsIn: Bool = false, reloads: Bool = false
    ) {
        (self.title, self.text, key) = (title, text, text)
        (self.showsDetail, self.signsIn, self.reloads) = (showsDetail, signsIn, reloads)
    }

    private init(_ title: String, waiting problem: Problem, _ what: String) {
        guard let seconds = problem.retryAfter else {
            self.init(title, what + ". Wait a moment and load the page again.", reloads: true)
            return
        }
        self.init(
            title, what + ". Wait \(seconds) \(seconds == 1 ? "second" : "seconds") and load the page again.",
            reloads: true)
        (self.seconds, key) = (seconds, what + ". Wait {0} seconds and load the page again.")
    }

    /// What that means and what to do next, in the language of a catalogue.
    func text(in catalogue: WordCatalogue) -> String {
        guard let translated = catalogue.texts[key] else { return text }
        return translated.replacing("{0}", with: seconds.map(String.init) ?? "")
    }

    /// What a catalogue has of it.
    var keys: [String] { [title, key] }

    /// Whether the sender of the request reads pages: `Accept` names `text/html`, and does not prefer JSON.
    ///
    /// `*/*` alone is what programs send.
    static func isWanted(by request: Request) -> Bool {
        var best: [String: Double] = [:]
        for range in request.headers[values: .accept].joined(separator: ",").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            best[type] = max(best[type] ?? 0, weight)
        }
        let page = best["text/html"] ?? 0
        return page > 0 && page >= max(best["application/json"] ?? 0, best["application/problem+json"] ?? 0)
    }
}
