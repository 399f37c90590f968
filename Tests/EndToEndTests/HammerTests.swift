import Foundation
import Storage
import Testing

@testable import Bench
@testable import countersign

/// The hammer's check, over what a healthy server left and over the same with something wrong in it.
///
/// A check that finds nothing has shown nothing unless it can find something.
@Suite("The hammer's check", .blocking, .enabled(if: !ServerDatabase.isPostgres, "Damages SQLite's file."))
struct HammerTests {
    /// Loads a server once for all tests of this suite.
    static let loaded = Result { try Loaded() }

    /// What a server and its load left.
    struct Loaded: Sendable {
        let folder: TemporaryFolder

        init() throws {
            let members = 3
            folder = try TemporaryFolder()
            let server = try DemoServer(
                directory: folder.path("data"), port: try DemoServer.freePort(), program: Program.countersign,
                // The load says that everybody sits somewhere else: one address may not sign up as often as it does.
                settings: ["--trust-proxy"])
            let load = Process()
            load.executableURL = URL(fileURLWithPath: Program.bench)
            load.arguments = [
                "hammer", "run", "--server", server.url, "--code", server.setUpCode, "--folder",
                folder.path("hammer"), "--members", "\(members)", "--services", "2", "--json",
            ]
            try load.run()
            // Until there is one of everything that is damaged below.
            let damaged = [
                "issue", "share", "revoke", "delete", "invite", "stop", "confirm", "allow", "deny", "take-receipt",
                "deny-service", "unfreeze", "rotate-service", "remove-service", "put-file", "remove-file",
                "set-pin", "remove-slot", "make-codes", "move-file", "take-drop", "allow-version-1",
                "enrol-handed-over",
            ]
            var kinds: Set<String> = []
            // What stays in vaults: each member may still undo the act that was done last.
            var kept = 0
            // How somebody left their wait, who has gone on to something else.
            var left: Set<HammerAct.Kind> = []
            while load.isRunning,
                !(kinds.isSuperset(of: damaged) && kept > members && left == [.beginRecovery, .endRecovery])
            {
                Thread.sleep(forTimeInterval: 0.05)
                let journal = (try? HammerJournal.read(folder.path("hammer/journal"))) ?? []
                let acts = journal.filter { $0.outcome == .acknowledged }
                kinds = Set(acts.map(\.act.rawValue))
                kept = Self.kept(acts)
                left = Self.left(acts)
            }
            load.terminate()
            load.waitUntilExit()
            server.stop()
            try #require(load.terminationStatus == 0)
        }

        /// How many files, recovery keys or members with tries that stand there are: of what there is least.
        private static func kept(_ acts: [HammerAct]) -> Int {
            let files = acts.count { $0.act == .putFile } - acts.count { $0.act == .removeFile }
            var (keys, tried): (Set<String>, Set<String>) = ([], [])
            for act in acts {
                switch act.act {
                case .setSlot: keys.insert(act.subject ?? "")
                case .removeSlot: keys.remove(act.subject ?? "")
                case .tryPIN: tried.insert(act.by)
                case .provePIN: tried.remove(act.by)
                default: break
                }
            }
            return min(files, keys.count, tried.count)
        }

        /// Which acts about their wait were the last ones of members who have done something else since.
        private static func left(_ acts: [HammerAct]) -> Set<HammerAct.Kind> {
            let recovery: Set<HammerAct.Kind> = [.beginRecovery, .endRecovery]
            var (last, left): ([String: HammerAct.Kind], Set<HammerAct.Kind>) = ([:], [])
            for act in acts {
                if let before = last[act.by], recovery.contains(before), !recovery.contains(act.act) {
                    left.insert(before)
                }
                last[act.by] = act.act
            }
            return left
        }

        /// A copy of all of it, to be damaged.
        func copy() throws -> TemporaryFolder {
            let copy = try TemporaryFolder()
            for name in ["data", "hammer"] {
                try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
            }
            return copy
        }
    }

    func check(_ folder: TemporaryFolder) throws -> Program.Outcome {
        try Program.run(
            Program.bench,
            ["hammer", "check", "--clean", "--folder", folder.path("hammer"), "--data", folder.path("data")])
    }

    @Test("finds nothing when nothing is wrong")
    func healthy() throws {
        let outcome = try check(try Self.loaded.get().copy())
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(" 0 lost, 0 half-written, ") && outcome.output.contains("audit clean"))
    }

    /// Brings recovery keys back that were removed.
    private static let returning = """
        INSERT INTO vault_slots (account, id, kind, sealed, created)
        SELECT (SELECT MIN(account) FROM vaults), json_extract(record, '$.slot'), 'recovery', 'AAAA', 1
        FROM log_entries WHERE type = 'vault.slot_removed'
        """

    /// Takes back one of the two answers that approved a question together.
    private static let oneOfTwo = """
        UPDATE approval_prompts SET decision = NULL
        WHERE entry = (
            SELECT MAX(entry) FROM approval_prompts
            WHERE decision = 'allow' GROUP BY challenge HAVING COUNT(*) = 2 LIMIT 1)
        """

    /// Takes one of its ten recovery codes from each account.
    private static let oneOfTen = """
        DELETE FROM approval_recovery_codes
        WHERE mark IN (SELECT MIN(mark) FROM approval_recovery_codes GROUP BY account)
        """

    /// Has accounts wait that ended it.
    private static let waitingOn = """
        INSERT INTO approval_recoveries (id, account, device, started, opens, closes)
        SELECT 'again ' || account, account, MIN(id), 1, 259201, 345601 FROM devices
        WHERE account IN (SELECT account FROM log_entries WHERE type = 'approval_recovery.ended')
            AND account NOT IN (SELECT account FROM approval_recoveries)
        GROUP BY account
        """

    /// Lays all versions into one compartment, as if contents had stayed behind.
    private static let elsewhere = """
        UPDATE vault_versions SET compartment = (SELECT MAX(id) FROM vault_compartments)
        """

    @Test(
        "finds rows that do not go with the others",
        arguments: [
            ("UPDATE documents SET revoked = 1 WHERE revoked IS NULL", "half-written: document"),
            ("UPDATE documents SET revoked = NULL WHERE revoked IS NOT NULL", "lost: revoke of"),
            ("UPDATE documents SET deleted = NULL WHERE deleted IS NOT NULL", "lost: delete of"),
            ("UPDATE documents SET log_index = log_index + 1", "has no entry"),
            ("UPDATE status_entries SET revoked = NULL", "its status says valid"),
            ("UPDATE requests SET state = 'accepted', document = NULL WHERE state = 'issued'", "answers no request"),
            ("UPDATE requests SET state = 'accepted', document = NULL WHERE state = 'issued'", "lost: issue of"),
            ("UPDATE enrolments SET state = 'answered' WHERE state = 'completed'", "lost: identify of"),
            ("UPDATE accounts SET verified = 0", "not verified with an identity"),
            ("UPDATE devices SET revoked = 1 WHERE revoked IS NULL", "half-written: device"),
            ("DELETE FROM invitations WHERE used IS NULL", "lost: invite of"),
            ("UPDATE shares SET stopped = NULL", "its package is gone"),
            ("DELETE FROM client_templates", "has another template than was enrolled last"),
            ("UPDATE client_acts SET log_index = 0", "has no such entry at 0"),
            ("UPDATE signings SET log_index = NULL WHERE state = 'confirmed'", "without a record and an entry"),
            ("UPDATE signings SET state = 'pending' WHERE state = 'confirmed'", "is decided in part"),
            ("UPDATE signings SET state = 'pending' WHERE state = 'confirmed'", "lost: confirm of"),
            ("UPDATE signed_files SET blob = 'gone'", "its document or evidence is gone"),
            ("UPDATE clients SET erased = 1 WHERE erased IS NULL", "was erased in part"),
            ("UPDATE accounts SET blocked = 1 WHERE username = 'owner'", "accounts are kept out in the log"),
            ("UPDATE workspace_documents SET version = version + 1", "versions of texts"),
            ("UPDATE approval_prompts SET decision = NULL WHERE decision = 'allow'", "answers are logged, not"),
            ("UPDATE approval_prompts SET entry = 0 WHERE decision = 'deny'", "has no entry of its own at 0"),
            ("UPDATE approval_challenges SET outcome_signature = NULL WHERE state = 'approved'", "is approved in part"),
            ("UPDATE approval_challenges SET state = 'pending' WHERE state = 'approved'", "lost: allow of"),
            ("UPDATE approval_challenges SET state = 'cancelled' WHERE state = 'denied'", "lost: deny of"),
            ("UPDATE approval_challenges SET state = 'pending' WHERE state = 'approved'", "lost: take-receipt of"),
            ("UPDATE approval_prompts SET decision = 'deny' WHERE decision = 'allow'", "lost: allow-together of"),
            (oneOfTwo, "is approved in part"),
            ("UPDATE approval_prompts SET scope = 'request' WHERE decision = 'deny'", "lost: deny-service of"),
            ("UPDATE approval_settings SET frozen = 1", "lost: unfreeze of"),
            ("UPDATE approval_settings SET frozen = 1", "accounts are frozen in the log, not"),
            ("UPDATE approval_services SET rotated = NULL WHERE rotated IS NOT NULL", "lost: rotate-service of"),
            ("UPDATE approval_services SET rotated = NULL WHERE rotated IS NOT NULL", "lacks another key, with"),
            ("UPDATE approval_services SET key_hash = 'AAAA'", "is removed and keeps its key"),
            ("UPDATE original_services SET accepted = 0", "lost: speak-version-1 of"),
            ("UPDATE original_enrolments SET state = 'proven' WHERE state = 'completed'", "lost: enrol-app of"),
            ("UPDATE original_devices SET public_key = id", "was agreed to, and is not there"),
            ("UPDATE original_challenges SET state = 'pending' WHERE state = 'approved'", "lost: allow-version-1 of"),
            ("UPDATE original_challenges SET state = 'pending' WHERE state = 'approved'", "is pending in part"),
            ("UPDATE original_challenges SET entry = 0 WHERE state = 'approved'", "without an entry of its own"),
            ("DELETE FROM approval_recovery_codes", "lost: make-codes of"),
            ("UPDATE approval_recovery_codes SET works = works + 1", "the recovery codes are others"),
            (oneOfTen, "has 9 recovery codes, made 1 times"),
            ("DELETE FROM approval_recoveries", "lost: begin-recovery of"),
            ("DELETE FROM approval_recoveries", "waits 0 times, with"),
            ("UPDATE approval_recoveries SET started = started + 1", "the account waits since another time"),
            ("UPDATE approval_recoveries SET opens = started", "is not of three days"),
            (waitingOn, "lost: end-recovery of"),
            (waitingOn, "waits 1 times, with 1 beginnings and 1 ends"),
            ("UPDATE log_entries SET type = 'gone' WHERE type = 'approval_recovery.begun'", "not begin and end waits"),
            ("UPDATE log_entries SET type = 'gone' WHERE type = 'approval_recovery.ended'", "_recovery.ended, not 1"),
            ("UPDATE approval_devices SET public_key = id", "entries of its enrolment"),
            ("UPDATE approval_devices SET public_key = id", "was completed without its device"),
            ("UPDATE approval_devices SET removed = 1 WHERE removed IS NULL", "the device answers no more"),
            ("UPDATE log_entries SET type = 'gone' WHERE type = 'approval_device.enrolled'", "enrolment: 0, not 1"),
            ("UPDATE approval_offers SET state = 'taken' WHERE state = 'completed'", "lost: enrol-handed-over of"),
            ("UPDATE approval_offers SET state = 'taken' WHERE state = 'completed'", "completed 0 offers"),
            ("UPDATE approval_offers SET handover_state = 'claimed' WHERE handover IS NOT NULL", "lost: hand-over of"),
            ("UPDATE approval_offers SET handover = NULL WHERE handover_state = 'agreed'", "is handed over in part"),
            ("UPDATE approval_offers SET handover_by = handover_key", "was taken with a word that nobody gave"),
            ("DELETE FROM vault_nodes", "lost: put-file of"),
            ("UPDATE vault_nodes SET removed = NULL WHERE removed IS NOT NULL", "lost: remove-file of"),
            ("UPDATE vault_compartments SET nodes = nodes + 1", "items and has"),
            ("UPDATE vault_compartments SET bytes = bytes + 1", "bytes and has"),
            ("UPDATE vault_parts SET gone = 1 WHERE gone IS NULL", "in use lacks"),
            ("UPDATE vault_parts SET blob = 'gone' WHERE gone IS NULL", "part gone has no bytes"),
            ("UPDATE vault_contents SET expires = 1 WHERE expires IS NULL", "is not where its version is"),
            (elsewhere, "is not where its version is"),
            ("UPDATE vault_nodes SET removed = NULL WHERE removed IS NOT NULL", "lost: move-file of"),
            ("UPDATE vault_nodes SET removed = 1 WHERE removed IS NULL", "lost: move-file of"),
            ("DELETE FROM vault_members", "lost: add-caretaker of"),
            ("UPDATE vault_nodes SET removed = 1 WHERE removed IS NULL", "lost: take-drop of"),
            ("DELETE FROM vault_slots", "lost: set-slot of"),
            ("DELETE FROM vault_slots", "0 entries vault.slot_removed, not 1"),
            ("UPDATE vault_slots SET sealed = 'AAAA'", "holds something that nobody has set"),
            (returning, "lost: remove-slot of"),
            (returning, "1 entries vault.slot_removed, not 0"),
            ("UPDATE log_entries SET entry = '{}' WHERE position = 3", "is published otherwise"),
            ("DELETE FROM log_entries WHERE position = (SELECT MAX(position) FROM log_entries)", "not in the database"),
        ])
    func rows(statement: String, words: String) async throws {
        let folder = try Self.loaded.get().copy()
        let database = try await SQLiteDatabase.open(folder.path("data/countersign.sqlite"))
        #expect(try await database.write { try $0.changes(statement) } > 0)
        try await database.close()
        let outcome = try check(folder)
        #expect(outcome.status == 1 && outcome.output.contains(words), "\(outcome.output)\(outcome.errors)")
    }

    @Test("finds a package that is gone, one cut short, and one that belongs to nothing")
    func blobs() async throws {
        let folder = try Self.loaded.get().copy()
        // Parts of files in vaults lie beside the packages.
        let database = try await SQLiteDatabase.open(folder.path("data/countersign.sqlite"))
        let names = try await database.read { transaction in
            try transaction.rows("SELECT blob FROM documents WHERE deleted IS NULL").map { try $0.text("blob") }
        }
        try await database.close()
        try #require(names.count > 1)
        try FileManager.default.removeItem(atPath: folder.path("data/blobs/\(names[0])"))
        try Data("short".utf8).write(to: URL(fileURLWithPath: folder.path("data/blobs/\(names[1])")))
        try Data().write(to: URL(fileURLWithPath: folder.path("data/blobs/stray")))
        let outcome = try check(folder)
        #expect(outcome.status == 1 && outcome.output.contains("package stray belongs to nothing"))
        #expect(outcome.output.contains("its package is gone"), "\(outcome.output)")
        #expect(outcome.output.contains("its package is 5 bytes long"), "\(outcome.output)")
    }

    @Test("finds an acknowledged act that never was, and an answer that was wrong")
    func journal() async throws {
        let folder = try Self.loaded.get().copy()
        var invitation = HammerAct(.invite, .acknowledged, by: "owner", subject: nil)
        invitation.result = "nobody"
        var drop = HammerAct(.dropFile, .acknowledged, by: "somebody", subject: "compartment")
        drop.result = "nothing"
        let journal = try HammerJournal(path: folder.path("hammer/journal"))
        try await journal.append(invitation)
        try await journal.append(drop)
        try await journal.append(HammerAct(.fetch, .wrong, by: "somebody", subject: "gone"))
        let outcome = try check(folder)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("lost: invite of nobody by owner is not there"))
        #expect(outcome.output.contains("lost: drop-file of compartment by somebody is not there"))
        #expect(outcome.output.contains("lost: fetch of gone by somebody was answered wrongly"))
    }

    @Test("finds a published log that was changed")
    func log() throws {
        let folder = try Self.loaded.get().copy()
        let tiles = try #require(FileManager.default.enumerator(atPath: folder.path("data/log/tile/entries")))
        for case let name as String in tiles {
            let file = URL(fileURLWithPath: folder.path("data/log/tile/entries/\(name)"))
            guard var bytes = try? Data(contentsOf: file), bytes.count > 40 else { continue }
            bytes[bytes.startIndex + 40] ^= 1
            try bytes.write(to: file)
        }
        let outcome = try check(folder)
        #expect(outcome.status == 1 && !outcome.output.contains("audit clean"), "\(outcome.output)\(outcome.errors)")
    }
}
