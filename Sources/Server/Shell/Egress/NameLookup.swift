import Glibc
import NIOPosix

/// Finds the addresses of a name.
///
/// Tests give their own.
package protocol NameLookup: Sendable {
    /// The addresses in their usual form, without brackets; none when the name is unknown.
    func addresses(of name: String) async throws -> [String]
}

/// The system's resolver, on threads of its own: a name server may take as long as it likes, and keeps only those waiting
/// who ask by the same threads.
struct SystemNameLookup: NameLookup {
    let threads: NIOThreadPool

    /// For the messages that this server sends: notices to services, browsers and phones.
    static let messages = SystemNameLookup(threads: 8)
    /// For what strangers and members let it fetch: names of theirs must keep no message waiting.
    static let fetches = SystemNameLookup(threads: 4)

    private init(threads count: Int) {
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    func addresses(of name: String) async throws -> [String] {
        try await threads.runIfActive { Self.resolve(name) }
    }

    private static func resolve(_ name: String) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, "443", &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var found: [String] = []
        var next = unsafe first
        while let info = unsafe next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let named = unsafe getnameinfo(
                info.pointee.ai_addr, info.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            if named == 0 {
                found.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            unsafe next = info.pointee.ai_next
        }
        return found
    }
}
