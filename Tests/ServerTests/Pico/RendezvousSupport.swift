import Encodings
import Foundation
import NIOCore
import Synchronization

@testable import Server

/// Set once.
final class Signal: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// Waits for something that others bring about, and leaves them the processor.
func until(_ isTrue: @Sendable () -> Bool) async throws {
    while !isTrue() { try await Task.sleep(for: .milliseconds(2)) }
}

/// An answer as text.
struct HTTPText: Sendable, CustomStringConvertible {
    let description: String
    var status: Int { Int(description.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var body: String { description.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }

    /// Header fields by their names in lower case.
    var fields: [String: String] {
        let lines = description.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n").dropFirst()
        return lines.reduce(into: [:]) { fields, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
    }
}

/// One request on a connection of its own.
func ask(
    _ port: Int, _ method: String, _ path: String, _ body: Bytes? = nil, from source: String = "127.0.0.1"
) async throws -> HTTPText {
    let length = body.map { "Content-Length: \($0.count)\r\n" } ?? ""
    let head = "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(length)Connection: close\r\n\r\n"
    return HTTPText(description: try await exchange(port, [Bytes(text: head) + (body ?? [])], from: source))
}

/// A rendezvous on a real socket, whose requests wait by a clock that stands still.
func withRendezvous(
    _ bounds: Rendezvous.Bounds = .init(),
    _ test: @escaping @Sendable (Int, Rendezvous, ManualClock) async throws -> Void
) async throws {
    let clock = ManualClock()
    let rendezvous = Rendezvous(bounds: bounds, clock: clock.clock)
    var routes = RouteTable()
    RendezvousRoutes(rendezvous: rendezvous, newName: { String(repeating: "0a", count: 16) }).add(to: &routes)
    // What limits a request as a whole stands still: only what the test does ends one.
    try await withLiveServer(makeShell(), routes: routes) { port in try await test(port, rendezvous, clock) }
}
