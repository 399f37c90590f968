import CryptoProvider
import Encodings
import Foundation
import Interface
import Logging
import Storage
import Testing

@testable import Server

/// Orders about the keys of a running server, as files in its data directory.
@Suite("Orders for a server's keys", .timeLimit(.minutes(5)))
struct KeyOrderTests {
    private func inOrganisation(
        _ body: @escaping @Sendable (TestOrganisation, KeyOrders) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let logger = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
            try await body(organisation, KeyOrders(server: organisation.server, logger: logger))
        }
    }

    private static func names(_ organisation: TestOrganisation) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: organisation.server.directory.path)
            .filter { $0.hasPrefix("order") }
    }

    @Test("an order that no server takes up is withdrawn, and none finds it later")
    func unheard() async throws {
        try await inOrganisation { organisation, orders in
            let file = KeyOrderFile(directory: organisation.server.directory.path)
            await #expect(throws: KeyOrderFile.OrderError.unheard) {
                try await file.order(.rotate(.codeSecret), heard: .zero)
            }
            #expect(try Self.names(organisation) == [])
            let before = try Data(contentsOf: URL(fileURLWithPath: organisation.keyFile("code-secret")))
            await orders.look()
            #expect(try Data(contentsOf: URL(fileURLWithPath: organisation.keyFile("code-secret"))) == before)
        }
    }

    @Test("an order that is too old, or that the server does not know, is not carried out, and says so")
    func refused() async throws {
        try await inOrganisation { organisation, orders in
            let directory = organisation.server.directory.path
            let file = URL(fileURLWithPath: organisation.keyFile("code-secret"))
            let (before, now) = (try Data(contentsOf: file), organisation.server.environment.now())
            for text in ["\(now - 21) rotate code-secret", "\(now + 21) rotate code-secret", "\(now) rotate root"] {
                let id = UUID().uuidString.lowercased()
                try Data("\(id) \(text)\n".utf8).write(to: URL(fileURLWithPath: directory + "/order"))
                await orders.look()
                let answer = try String(contentsOfFile: directory + "/order-\(id)", encoding: .utf8)
                #expect(answer.contains("nothing was changed"))
                try FileManager.default.removeItem(atPath: directory + "/order-\(id)")
            }
            // A file that is not an order gets no answer.
            for bytes in [
                Data(), Data("../../x \(now) rotate code-secret\n".utf8), Data(repeating: 0xFF, count: 5_000),
            ] {
                try bytes.write(to: URL(fileURLWithPath: directory + "/order"))
                await orders.look()
            }
            #expect(try Self.names(organisation) == [])
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test("one order waits for the other")
    func busy() async throws {
        try await inOrganisation { organisation, orders in
            let directory = organisation.server.directory.path
            let id = UUID().uuidString.lowercased()
            // Times of commands are those of the machine.
            let text = "\(id) \(Int64(Date().timeIntervalSince1970)) log-state\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/order"))
            await #expect(throws: KeyOrderFile.OrderError.busy) {
                try await KeyOrderFile(directory: directory).order(.logState, heard: .zero)
            }
            #expect(try String(contentsOfFile: directory + "/order", encoding: .utf8) == text)
        }
    }

    @Test("of commands that find an old order none removes the order of another")
    func leftover() async throws {
        try await inOrganisation { organisation, _ in
            let directory = organisation.server.directory.path
            let file = KeyOrderFile(directory: directory)
            for _ in 0..<50 {
                try Data("left by nobody\n".utf8).write(to: URL(fileURLWithPath: directory + "/order"))
                await withTaskGroup(of: KeyOrderFile.OrderError?.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            do {
                                _ = try await file.order(.logState, heard: .zero, done: .zero)
                                return nil
                            } catch {
                                return error as? KeyOrderFile.OrderError
                            }
                        }
                    }
                    // There is no server that could have taken one.
                    for await outcome in group { #expect(outcome == .unheard || outcome == .busy) }
                }
            }
            #expect(try Self.names(organisation) == [])
        }
    }

    @Test("a key that another process removes while it is read is there or not")
    func vanishing() async throws {
        try await inOrganisation { organisation, _ in
            let folder = KeyFolder(in: organisation.server.directory.path)
            let (name, secret) = (KeyFolder.next("code-secret"), Bytes(repeating: 7, count: 32))
            let other = Task.detached {
                while !Task.isCancelled {
                    try folder.create(name, secret)
                    try folder.remove(name)
                    await Task.yield()
                }
            }
            var outcome: Result<Void, any Error> = .success(())
            do {
                for _ in 0..<5_000 {
                    if let found = try folder.read(name) { try #require(found == secret) }
                }
            } catch {
                outcome = .failure(error)
            }
            other.cancel()
            try await other.value
            try outcome.get()
        }
    }

    @Test("two servers that share a folder of keys do not change one at the same time")
    func exclusive() async throws {
        try await inOrganisation { organisation, _ in
            let folder = KeyFolder(in: organisation.server.directory.path)
            let lock = try folder.lock()
            for order in [KeyOrder.rotate(.codeSecret), .logBegin, .logFinish, .logCancel] {
                await #expect(throws: ServerKeys.KeyError.changing) {
                    try await order.carryOut(on: organisation.server)
                }
            }
            #expect(try folder.read("code-secret.next") == nil && folder.read("log.next") == nil)
            guard case .state = try await KeyOrder.logState.carryOut(on: organisation.server) else {
                Issue.record("the state is not told")
                return
            }
            // A server that starts in between does not mistake the other's new key for a leftover.
            let rotation = try KeyRotation(of: organisation.server)
            let secret = try await rotation.write(.codeSecret)
            _ = try await organisation.openKeys()
            #expect(try folder.read("code-secret.next") == secret)
            withExtendedLifetime(lock) {}
        }
        // Let go, it is free again.
        try await inOrganisation { organisation, _ in
            _ = try KeyFolder(in: organisation.server.directory.path).lock()
            guard case .rotated = try await KeyOrder.rotate(.codeSecret).carryOut(on: organisation.server) else {
                Issue.record("it was not rotated")
                return
            }
        }
    }

    @Test("told to read its settings again, a server says which key the next start would not find")
    func nextStart() async throws {
        try await inOrganisation { organisation, _ in
            let settings = organisation.server.configuration
            let keys = organisation.server.environment.serverKeys.keys.map(\.name).filter { $0 != "root" }
            for name in keys {
                let path = organisation.keyFile(name)
                let own = try Data(contentsOf: URL(fileURLWithPath: path))
                try Data(Hex.encode(Bytes(repeating: 7, count: 32)) + [0x0A]).write(to: URL(fileURLWithPath: path))
                let expected: ServerKeys.KeyError = name == "log" ? .otherLog : .foreign(name: name)
                await #expect(throws: expected) { try await organisation.server.reload(settings) }
                try Data("not a key".utf8).write(to: URL(fileURLWithPath: path))
                await #expect(throws: ServerKeys.KeyError.malformed(name: name)) {
                    try await organisation.server.reload(settings)
                }
                try own.write(to: URL(fileURLWithPath: path))
            }
            #expect(try await organisation.server.reload(settings).changed == [])
        }
    }

    @Test("before there is an organisation there is nothing to rotate")
    func early() async throws {
        let organisation = try await TestOrganisation()
        for order in [KeyOrder.rotate(.codeSecret), .logBegin, .logState] {
            await #expect(throws: RootTravel.TravelError.notSetUp) { try await order.carryOut(on: organisation.server) }
        }
        let keys = try FileManager.default.contentsOfDirectory(atPath: organisation.server.directory.path + "/keys")
        #expect(keys.allSatisfy { !$0.hasSuffix(".next") })
    }

    @Test("a rotation that was cut short after it was in force is not overwritten by the next one")
    func again() async throws {
        try await inOrganisation { organisation, _ in
            let rotation = try KeyRotation(of: organisation.server)
            let inForce = try await rotation.write(.codeSecret)
            _ = try await rotation.install(inForce, as: .codeSecret, by: nil)
            _ = try await rotation.write(.codeSecret)
            let file = try Data(contentsOf: URL(fileURLWithPath: organisation.keyFile("code-secret")))
            #expect(file == Data(Hex.encode(inForce) + [0x0A]))
        }
    }

    @Test("what fails after a new key is in force says that it is, and not that nothing was done")
    func unfinished() async throws {
        try await inOrganisation { organisation, _ in
            let path = organisation.keyFile("label-secret")
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: path + "/in-the-way"))
            do {
                _ = try await KeyRotation(of: organisation.server).rotate(.labelSecret)
                Issue.record("it was rotated")
            } catch {
                let trouble = try #require(KeyTrouble(error))
                #expect(trouble.words.contains("is in force and in the log") && !trouble.isRefusal)
            }
        }
    }

    @Test("so does a secret for sealing whose former one cannot be removed")
    func unfinishedSealing() async throws {
        try await inOrganisation { organisation, _ in
            let server = organisation.server
            let folder = KeyFolder(in: server.directory.path)
            let rotation = SealingRotation(server.environment, folder, spread: .zero, pause: .zero)
            try await rotation.announce()
            try await rotation.exchange(for: try #require(try folder.read(KeyFolder.next("template-secret"))))
            try await rotation.sealAgain()
            let path = organisation.keyFile(KeyFolder.former("template-secret"))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: path + "/in-the-way"))
            let error = await #expect(throws: KeyRotation.RotationError.self) { _ = try await rotation.forget() }
            if case .unfinished = error {} else { Issue.record("\(String(describing: error))") }
            #expect(try await !SealingRotation.isUnfinished(server.environment))
        }
    }

    @Test("whoever rotates a key while the server runs has the new one in use at once")
    func used() async throws {
        try await inOrganisation { organisation, _ in
            let environment = organisation.server.environment
            for name in KeyRotation.Name.allCases where !name.isSealing {
                guard case .rotated = try await KeyOrder.rotate(name).carryOut(on: organisation.server) else {
                    Issue.record("\(name) was not rotated")
                    continue
                }
                let (stored, fingerprints) = try await environment.keysInForce()
                try environment.serverKeys.requireInForce(try #require(stored), fingerprints)
            }
        }
    }

    @Test("a running server does not sign its log with a key that somebody puts in the place of its own")
    func otherLog() async throws {
        try await inOrganisation { organisation, orders in
            let environment = organisation.server.environment
            let own = environment.log.signer.verifierKeys
            try Data(Hex.encode(Bytes(repeating: 7, count: 32)) + [0x0A])
                .write(to: URL(fileURLWithPath: organisation.keyFile("log")))
            let watch = KeyWatch(environment: environment, logger: orders.logger)
            await #expect(throws: ServerKeys.KeyError.otherLog) { try await watch.check() }
            #expect(environment.log.signer.verifierKeys == own)
        }
    }
}
