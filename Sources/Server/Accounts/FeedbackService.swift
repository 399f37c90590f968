import Foundation
import HTTPTypes
import Interface
import Storage

/// Why feedback is not taken.
enum FeedbackError: Error, Equatable {
    case invalidText
    case invalidPage
    case full
    case notFound
}

extension FeedbackError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .invalidText:
            Problem(.invalidMember, "text: 1 to \(Limits.feedbackText.upperBound) bytes that people can read.")
        case .invalidPage: Problem(.invalidMember, "page: the path of a page of this server.")
        case .full:
            Problem(
                .conflict,
                "\(Limits.feedback) messages wait to be read, so nothing more is taken. Try again in some days.")
        case .notFound: Problem(.notFound, "There is no such feedback.")
        }
    }
}

/// What people tell those who run the server: kept without a name unless they want one, with the day and no time, and for
/// half a year.
struct FeedbackService {
    let environment: Environment

    func send(_ request: NewFeedback, _ principal: Principal) async throws {
        let text = try Self.text(request.text)
        guard request.page.map({ page in environment.slices.pages.contains { $0.path == page } }) ?? true else {
            throw FeedbackError.invalidPage
        }
        let id = environment.newIdentifier()
        let now = environment.now()
        // Other records have times, too: together they would tell whose it is.
        let day = now - now % 86_400
        try await environment.database.write { transaction in
            let store = FeedbackStore(transaction: transaction)
            guard try store.count() < Limits.feedback else { throw FeedbackError.full }
            try store.insert(
                FeedbackStore.Stored(
                    id: id, account: request.isNamed ? principal.account : nil, page: request.page, text: text,
                    created: day, expires: day + Limits.feedbackTime))
        }
    }

    func list() async throws -> [Feedback] {
        try await environment.database.read { transaction in
            let all = try FeedbackStore(transaction: transaction).list()
            let people = try AccountStore(transaction: transaction).find(ids: all.compactMap(\.account))
            return all.map { one in
                let person = one.account.flatMap { people[$0] }
                return Feedback(
                    id: one.id, text: one.text, page: one.page, username: person?.username, name: person?.name,
                    created: one.created, expires: one.expires)
            }
        }
    }

    func remove(_ id: String) async throws {
        guard try await environment.database.write({ try FeedbackStore(transaction: $0).delete(id) }) else {
            throw FeedbackError.notFound
        }
    }

    /// Text as people write it: lines, and no other control characters.
    private static func text(_ given: String) throws -> String {
        let text = given.trimmingCharacters(in: .whitespacesAndNewlines)
        let isReadable = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n" || scalar == "\t"
            case .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        guard isReadable, Limits.feedbackText.contains(text.utf8.count) else { throw FeedbackError.invalidText }
        return text
    }
}

/// Feedback over HTTP.
struct FeedbackRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let feedback = FeedbackService(environment: environment)
        routes.secured(
            .post, "/api/feedback", "Tell those who run the server something, without your name unless you want it",
            .ownAccount, takes: NewFeedback.self, answers: NoContent.self, status: .noContent, problems: [.conflict]
        ) { request, call, principal in
            try call.shell.rates.spend(.feedback, for: .account(principal.account))
            try await feedback.send(request, principal)
            return NoContent()
        }
        routes.secured(
            .get, "/api/feedback", "What people have told you, the newest day first", .readFeedback,
            answers: Listing<Feedback>.self
        ) { _, _ in Listing(try await feedback.list()) }
        routes.secured(
            .delete, "/api/feedback/{id}", "Remove feedback", .readFeedback, answers: NoContent.self,
            status: .noContent, problems: [.notFound]
        ) { call, _ in
            try await feedback.remove(try call.parameter("id"))
            return NoContent()
        }
    }
}
