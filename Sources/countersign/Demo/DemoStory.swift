import Encodings
import Foundation
import Interface
import Wallet

/// The story: a university checks a student and signs a real transcript for the student's key; an employer verifies it
/// offline.
struct DemoStory {
    let cast: DemoCast
    let report: DemoReport
    /// A verifier's own nonce, which proves to them that the presentation is fresh.
    static let nonce = "b2ZmZXItMjAyNi0xMTcw"
    static let employer = "https://jobs.purple-plumbing.example"

    /// A sentence that is in the PDF and nowhere else, so that it can be looked for.
    static let phrase = "Seal phrase: quiet-heron-4417"
    /// A value of a field that stands nowhere else.
    static let programme = "Marine Robotics (amber-otter-2983)"

    /// What the first act leaves for the others.
    struct Enrolled {
        let rootFingerprint: String
        let delegation: String
    }

    // MARK: The university

    func setUp() async throws -> String {
        try await report.step("The main administrator sets Purple University up") {
            let joined = try await WalletClient.setUp(
                cast.place(DemoCast.owner), code: cast.server.setUpCode, organisation: "Purple University",
                DemoCast.owner)
            return (joined.rootFingerprint, "root \(joined.rootFingerprint)")
        }
    }

    /// The main administrator invites an administrator and certifies the administrator's key.
    func delegate() async throws -> String {
        let code = try await report.step("The main administrator invites an administrator; the code is shown once") {
            let invitation = try await cast.unlock(DemoCast.owner).invite(.administrator, lifetime: 3_600)
            guard let code = invitation.code else { throw DemoFailure(step: "invite", reason: "no code") }
            return (code, "code \(code)")
        }
        let fingerprint = try await report.step("The administrator makes a wallet and asks to be certified") {
            _ = try await WalletClient.signUp(
                cast.place(DemoCast.registrar), DemoCast.registrar, invitation: code)
            let wallet = try await cast.unlock(DemoCast.registrar)
            _ = try await wallet.requestDelegation()
            let fingerprint = try await wallet.authorityFingerprint()
            return (fingerprint, "key \(fingerprint)")
        }
        return try await report.step("The main administrator compares the key and signs the certificate") {
            let wallet = try await cast.unlock(DemoCast.owner)
            guard let pending = try await wallet.delegations().first(where: { $0.state == .pending }) else {
                throw DemoFailure(step: "delegate", reason: "no request")
            }
            try demand(
                WalletClient.fingerprint(authorityKey: pending.authorityKey) == fingerprint, "another key is shown")
            _ = try await wallet.certify(pending, capabilities: [.identifyMembers, .signDocuments])
            return (pending.id, "path length 0, may identify members and sign documents; logged")
        }
    }

    // MARK: The student

    func signUp(_ person: NewPerson, rootFingerprint: String) async throws {
        try await report.step("\(person.name) signs up; the wallet pins the root") {
            let joined = try await WalletClient.signUp(
                cast.place(person, rootFingerprint: rootFingerprint), person)
            return "device in the log as entry \(joined.acts.first?.index ?? -1)"
        }
    }

    /// Face to face: code, six digits, paper, signature.
    func identify(_ person: NewPerson, given: String, family: String, number: String) async throws {
        try await report.step("Face to face with \(person.name): code, six digits, passport, signature") {
            let holder = try await cast.unlock(person)
            let administrator = try await cast.unlock(DemoCast.registrar)
            let pending = try await holder.beginEnrolment()
            async let answered = holder.answerEnrolment(pending)
            let claimed = try await administrator.claimEnrolment(code: pending.code.text)
            let ready = try await administrator.awaitAnswer(claimed)
            let holderSees = try await answered
            try demand(ready.digits == holderSees.digits, "the digits differ")
            let issued = try await administrator.completeEnrolment(
                ready, paper: .passport,
                fields: [
                    JSON.Member("given_name", .text(given)), JSON.Member("family_name", .text(family)),
                    JSON.Member("member_number", .text(number)),
                ])
            try await holder.waitForCompletion(holderSees)
            let credential = try await holder.open(issued.info.id)
            return "both saw \(ready.digits); \(credential.signer) signed; Stella holds an identity credential"
        }
    }

    // MARK: The request

    /// The student asks; the administrator's list changes at once.
    func request() async throws -> String {
        try await report.step("Stella asks for a transcript; the administrator's list changes at once") {
            let administrator = try await cast.unlock(DemoCast.registrar)
            let student = try await cast.unlock(DemoCast.student)
            let events = try await administrator.events()
            let arrival = Task {
                for await event in events where event.kind == "request" { return event.id }
                return ""
            }
            let request = try await student.request(type: "transcript", note: "For a job, please.")
            // It comes at once. Only a busy machine takes longer, and one that never comes is told all the same.
            let told = try await Self.first(of: arrival, or: 60)
            try demand(told == request.id, "no live update")
            return (request.id, "live update received")
        }
    }

    /// A request that is declined, with a reason that the student reads.
    func decline() async throws {
        try await report.step("A second request is cancelled with a reason that Stella sees") {
            let student = try await cast.unlock(DemoCast.student)
            let request = try await student.request(type: "degree", note: "")
            _ = try await cast.unlock(DemoCast.registrar)
                .cancel(request.id, reason: "The degree is conferred in June.")
            let seen = try await student.requests().first { $0.id == request.id }
            try demand(seen?.state == .cancelled, "still open")
            return "\"\(seen?.reason ?? "")\""
        }
    }

    private static func first(of task: Task<String, Never>, or seconds: Int) async throws -> String {
        let limit = Task {
            try await Task.sleep(for: .seconds(seconds))
            task.cancel()
        }
        defer { limit.cancel() }
        return await task.value
    }
}
