import Foundation
import Interface
import Wallet

/// A person of the load checks, with their own wallet, that everything they were told is true.
struct HammerVisit: Sendable {
    let people: HammerPeople
    let username: String
    /// Their acts, in order.
    let acts: [HammerAct]

    /// What they do not find, in words.
    func run() async -> [String] {
        do {
            let person = try await people.unlock(username)
            guard let client = person.clients.randomElement() else { return [] }
            let retirement = acts.last { $0.act == .retire }
            if let retirement, retirement.outcome != .acknowledged { return [] }
            // Blocked for good, or nobody knows.
            let gate = acts.last { $0.act == .block || $0.act == .unblock }
            if let gate, gate.act == .block || gate.outcome != .acknowledged { return [] }
            if retirement != nil { return await refusal(client) }
            // A certificate taken back ends sessions, as being kept out does.
            let isEnded = acts.contains { $0.act == .certify || $0.act == .block }
            if await client.isSignedIn, !isEnded { _ = try await client.account() }
            try await client.signIn(passphrase: HammerPeople.passphrase)
            return try await look(client)
        } catch {
            return ["\(username) cannot look: \(error)"]
        }
    }

    private func refusal(_ client: WalletClient) async -> [String] {
        do {
            try await client.signIn(passphrase: HammerPeople.passphrase)
            return ["\(username) signs in with a device that was revoked"]
        } catch let error as ProblemError where error.slug == "sign-in-failed" {
            return []
        } catch {
            return ["\(username) is refused otherwise than as a revoked device: \(error)"]
        }
    }

    private func look(_ client: WalletClient) async throws -> [String] {
        var found: [String] = []
        // Checks every receipt, and that the log only grew since this wallet last looked.
        let logged = try await client.checkLog().acts
        for act in acts where act.act.entryType != nil && act.receipt != nil && !act.act.isAboutClient {
            let count = logged.count { $0.type == act.act.entryType && Self.index(act.receipt) == $0.index }
            if count != 1 { found.append("\(username) finds \(act.act.rawValue) \(count) times in the log") }
        }
        let listed = try await client.documents()
        let acknowledged = acts.filter { $0.outcome == .acknowledged }
        let gone = Set(acts.filter { $0.act == .delete && $0.outcome != .refused }.compactMap(\.subject))
        let held = acknowledged.filter { [.issue, .identify].contains($0.act) }.compactMap(\.result)
            .filter { !gone.contains($0) }
        for document in held where listed.count(where: { $0.id == document }) != 1 {
            found.append("\(username) does not find the document \(document) once")
        }
        for act in acknowledged where act.act == .delete && listed.contains(where: { $0.id == act.subject }) {
            found.append("\(username) still has the document \(act.subject ?? "") that was deleted")
        }
        for act in acknowledged
        where act.act == .revoke && listed.contains(where: { $0.id == act.subject && $0.revoked == nil }) {
            found.append("\(username)'s document \(act.subject ?? "") is not revoked")
        }
        if let document = held.first { _ = try await client.open(document) }
        let asked = acknowledged.filter { $0.act == .request }.compactMap(\.result)
        let requests = asked.isEmpty ? [] : Set(try await client.requests().map(\.id))
        found += asked.filter { !requests.contains($0) }.map { "\(username) does not find the request \($0)" }
        let shared = acknowledged.filter { $0.act == .share }.compactMap(\.result)
        let links = shared.isEmpty ? [] : Set(try await client.shares().map(\.id))
        found += shared.filter { !links.contains($0) }.map { "\(username) does not find the link \($0)" }
        return found + (try await lookAtDesk(client)) + (try await lookAtApprovals(client))
    }

    /// The number in the line `index N` of a tlog-proof.
    private static func index(_ receipt: String?) -> Int64? {
        receipt?.split(separator: "\n").first { $0.hasPrefix("index ") }.flatMap { Int64($0.dropFirst(6)) }
    }

    /// A visit for everybody in a journal.
    ///
    /// Acts of administrators on members' documents count for the members. Acts of the main administrator on operators
    /// and their clients count for the operators.
    static func all(_ acts: [HammerAct], _ people: HammerPeople) -> [HammerVisit] {
        var holders: [String: String] = [:]
        for act in acts where act.act == .request { holders[act.result ?? ""] = act.by }
        for act in acts where act.act == .issue {
            if let document = act.result, let request = act.subject { holders[document] = holders[request] }
        }
        var operators: [String: String] = [:]
        for act in acts where act.act == .enrolClient { operators[act.result ?? ""] = act.by }
        var byPerson: [String: [HammerAct]] = [:]
        for act in acts {
            switch act.act {
            case .issue, .revoke: byPerson[holders[act.subject ?? ""] ?? act.by, default: []].append(act)
            case .eraseClient: byPerson[operators[act.subject ?? ""] ?? act.by, default: []].append(act)
            case .block, .unblock: byPerson[act.subject ?? act.by, default: []].append(act)
            case .certify: byPerson[act.result ?? act.by, default: []].append(act)
            case .accept, .invite, .decertify: byPerson[act.by, default: []] += []
            default: byPerson[act.by, default: []].append(act)
            }
        }
        // If the answer about a new account was lost twice, the wallet does not know whether it has an account.
        let joined = Set(acts.filter { $0.act == .join && $0.outcome == .acknowledged }.compactMap(\.subject))
        return byPerson.filter { joined.contains($0.key) || $0.key == HammerOffice.ownerName }
            .map { HammerVisit(people: people, username: $0.key, acts: $0.value) }
            .sorted { $0.username < $1.username }
    }
}
