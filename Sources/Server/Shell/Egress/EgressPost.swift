import AsyncHTTPClient
package import Interface
import NIOCore
import NIOHTTP1

/// A message that this server posts to another one.
package struct EgressPost: Sendable {
    /// Where it goes: always by https, to the usual port.
    package let domain: DomainName
    /// Path and query, beginning with a slash.
    package let path: String
    /// Names and values that were checked for line breaks.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// A message as it will be sent.
    package init(domain: DomainName, path: String, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.domain, self.path, self.headers, self.body) = (domain, path, headers, body)
    }

    /// The head of the answer; its body is not read.
    package struct Answer: Sendable, Equatable {
        package let status: Int
        /// `Retry-After`, as it came.
        package let retryAfter: String?

        /// An answer.
        package init(status: Int, retryAfter: String? = nil) {
            (self.status, self.retryAfter) = (status, retryAfter)
        }
    }
}

/// How a message is posted to an address that was checked.
///
/// Tests give their own.
package protocol EgressPosting: Sendable {
    /// Posts to the server of `post.domain` at `address`, and no other, even if the name leads elsewhere by now.
    ///
    /// - Throws: `Egress.Failure`.
    func post(_ post: EgressPost, at address: String) async throws -> EgressPost.Answer
}

extension Egress {
    /// Messages under way at once, for everybody.
    static let mostPosts = 64

    /// Posts a message to a public address.
    ///
    /// - Returns: the head of any answer, redirects and errors too: what they mean, only the caller knows.
    package func post(_ post: EgressPost) async throws(Failure) -> EgressPost.Answer {
        guard enterPost() else { throw .busy }
        defer { leavePost() }
        let address = try await publicAddress(of: post.domain)
        do {
            return try await posting.post(post, at: address.description)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreachable
        }
    }
}

extension HTTPEgressTransport: EgressPosting {
    func post(_ post: EgressPost, at address: String) async throws -> EgressPost.Answer {
        try await withClient(of: post.domain.text, at: address) { client in
            var request = HTTPClientRequest(url: url(post.path, of: post.domain.text))
            request.method = .POST
            request.headers.add(name: "user-agent", value: "countersign")
            for header in post.headers { request.headers.add(name: header.name, value: header.value) }
            request.body = .bytes(post.body)
            return try await withThrowingTaskGroup(of: EgressPost.Answer.self) { [request, patience] group in
                group.addTask {
                    let answer = try await client.execute(request, timeout: TimeAmount(patience))
                    return EgressPost.Answer(
                        status: Int(answer.status.code), retryAfter: answer.headers.first(name: "retry-after"))
                }
                group.addTask {
                    try await Task.sleep(for: patience)
                    throw Egress.Failure.unreachable
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw Egress.Failure.unreachable }
                return answer
            }
        }
    }
}
