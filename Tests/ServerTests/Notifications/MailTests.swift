import Encodings
import Foundation
import HTTPTypes
import Interface
import NIOSSL
import Testing

@testable import Server

/// Letters that attackers would like to write, and mail servers that lie.
@Suite("E-mail", .timeLimit(.minutes(5)))
struct MailTests {
    private static func message(
        _ subject: String, _ text: String, _ face: OrganisationFace = OrganisationFace()
    ) throws -> MailMessage {
        MailMessage(
            to: try #require(EmailAddress("ada@mail.example")), subject: subject, text: text,
            letterhead: letterhead(face), id: "0123abcd", time: 1_790_000_000)
    }

    private static func letterhead(_ face: OrganisationFace) -> Letterhead {
        Letterhead(face, .english, publicURL: "https://sign.example")
    }

    private static func sender() throws -> EmailAddress { try #require(EmailAddress("no-reply@sign.example")) }

    @Test(
        "an address is one thing only",
        arguments: [
            "", "ada", "@mail.example", "ada@", "ada@mail", "ada@@mail.example", "a@b@mail.example",
            "ada@mail.example>", "<ada@mail.example>", "ada @mail.example", "\"ada\"@mail.example",
            "ada@mail.example\r\nBcc: eve@evil.example", "ada\r\n.\r\n@mail.example", "ada@mail.example\u{0}",
            "ad\u{e4}@mail.example", "ada@m\u{e4}il.example", "ada@[127.0.0.1]", "ada@127.0.0.1", ".ada@mail.example",
            "ada.@mail.example", "a..b@mail.example", "ada@https://mail.example", "ada@mail.example/",
            String(repeating: "a", count: 65) + "@mail.example", "ada,eve@mail.example", "ada;eve@mail.example",
            "ada(x)@mail.example",
        ])
    func noAddress(text: String) { #expect(EmailAddress(text) == nil) }

    @Test("addresses as people have them", arguments: ["ada@mail.example", "a.b+c@x.mail.example", "A_1@mail.example"])
    func address(text: String) { #expect(EmailAddress(text)?.text == text) }

    @Test("nothing in a subject or text becomes a header or ends the letter, and every line is short ASCII")
    func encoding() throws {
        let evil = "a\r\nBcc: eve@evil.example\r\n\r\n.\r\nMAIL FROM:<eve@evil.example>"
        let long = String(repeating: "Grüße 🎓 ", count: 60)
        for (subject, text) in [(evil, evil), (long, long), ("", "")] {
            let bytes = try Self.message(subject, text).encoded(from: Self.sender())
            let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
            #expect(bytes.allSatisfy { $0 < 0x80 } && lines.allSatisfy { $0.utf8.count <= 78 })
            #expect(!lines.contains(".") && !lines.contains { $0.hasPrefix("Bcc") || $0.contains("\n") })
            #expect(lines.prefix(3).map { $0.prefix { $0 != ":" } } == ["Date", "From", "To"])
        }
    }

    /// The lines of the sender's header in a letter of an organisation of this name.
    private static func from(_ name: String) throws -> [String] {
        let bytes = try message("Hello", "Text", OrganisationFace(name: name)).encoded(from: sender())
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { !$0.hasPrefix("Bcc") && !$0.contains("\n") && $0.utf8.count <= 78 })
        let begun = Array(lines.drop { !$0.hasPrefix("From: ") })
        let folded = begun.dropFirst().prefix { $0.hasPrefix(" ") }
        return Array(begun.prefix(folded.count + 1))
    }

    @Test(
        "the sender has the organisation's name, and nothing in it becomes another address or header",
        arguments: [
            ("", ["From: \"Countersign\" <no-reply@sign.example>"]),
            ("University of Northport", ["From: \"University of Northport\" <no-reply@sign.example>"]),
            ("Universität 北港", ["From: =?utf-8?B?VW5pdmVyc2l0w6R0IOWMl+a4rw==?= <no-reply@sign.example>"]),
            (
                "\"Sign\" <eve@evil.example>, \\",
                ["From: \"\\\"Sign\\\" <eve@evil.example>, \\\\\" <no-reply@sign.example>"]
            ),
            ("a\r\nBcc: eve@evil.example\n\n.", ["From: \"a Bcc: eve@evil.example .\" <no-reply@sign.example>"]),
            ("=?utf-8?Q?eve?=", ["From: =?utf-8?B?PT91dGYtOD9RP2V2ZT89?= <no-reply@sign.example>"]),
            (
                String(repeating: "N", count: 60),
                ["From: \"\(String(repeating: "N", count: 60))\"", " <no-reply@sign.example>"]
            ),
        ] as [(String, [String])])
    func name(name: String, expected: [String]) throws { #expect(try Self.from(name) == expected) }

    @Test(
        "a name of 200 characters comes whole, in short lines",
        arguments: [
            String(repeating: "University ", count: 18) + "of", String(repeating: "\\", count: 200),
            String(repeating: "北", count: 200), "a" + String(repeating: "\u{301}", count: 399),
        ] as [String])
    func longName(name: String) throws {
        let lines = try Self.from(name)
        #expect(lines.count > 2 && lines.last == " <no-reply@sign.example>")
        let words = lines.joined(separator: "\n").matches(of: #/=\?utf-8\?B\?([^?]*)\?=/#)
        let parts = words.compactMap { Base64.decode(Bytes(text: String($0.output.1)), .standard) }
        #expect(parts.allSatisfy { Bytes(text: String(decoding: $0, as: UTF8.self)) == $0 })
        #expect(Array(parts.joined()) == Bytes(text: name))
    }

    @Test("a letter ends with the organisation's name and its imprint, as the foot of a page has it")
    func signature() throws {
        let face = OrganisationFace(
            name: "University of Northport",
            imprint: Imprint(
                legalNotice: "1 Street\nNorthport", privacy: "https://north.example/privacy",
                contact: "mailto:office@north.example"))
        let bytes = try Self.message("Hello", "Text\n", face).encoded(from: Self.sender())
        let letter = FakeMail.Letter(message: String(decoding: bytes, as: UTF8.self), recipient: "", id: "")
        let imprint = """
            Legal notice: https://sign.example/imprint#legal-notice
            Data protection: https://north.example/privacy
            Contact: office@north.example
            """
        #expect(letter.text == "Text\n\n-- \nUniversity of Northport\n\(imprint)\n")
        #expect(Self.letterhead(OrganisationFace()).signature == "\n-- \nCountersign\n")
        let more = Self.letterhead(OrganisationFace(imprint: Imprint(contact: "mailto:a@b.example?subject=Hello")))
        #expect(more.imprint == ["Contact: mailto:a@b.example?subject=Hello"])
    }

    @Test("codes and notices have the organisation's face as it is now, in the language of the account")
    func face() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            _ = try await client.addEmail("owner@mail.example", owner, mail)
            let code = try #require(mail.letters.last)
            #expect(code.message.contains("\r\nFrom: \"Test University\" <countersign@sign.example>\r\n"))
            #expect(code.text?.hasSuffix("\n\n-- \nTest University\n") == true)
            let change = FaceChange(name: "Northport", imprint: Imprint(contact: "mailto:office@north.example"))
            _ = try await client.send(.put, "/api/organisation/face", change, token: owner.token)
                .decode(OrganisationFace.self)
            _ = try await client.send(
                .put, "/api/account/language", AccountLanguage(language: "de"), token: owner.token
            ).decode(AccountLanguage.self)
            #expect(try await organisation.deliver() > 0)
            let notice = try #require(mail.letters.last)
            #expect(notice.id != code.id)
            #expect(notice.message.contains("\r\nFrom: \"Northport\" <countersign@sign.example>\r\n"))
            #expect(notice.text?.hasSuffix("\n\n-- \nNorthport\nKontakt: office@north.example\n") == true)
        }
    }

    @Test("a date is in the one form, whatever the machine's language")
    func date() { #expect(MailMessage.date(1_790_000_000) == "Mon, 21 Sep 2026 14:13:20 +0000") }

    @Test("lines that begin with a dot get a second one")
    func dots() {
        let stuffed = SMTPConversation.stuffed(Bytes(text: ".a\r\nb.c\r\n..\r\n"))
        #expect(String(decoding: stuffed, as: UTF8.self) == "..a\r\nb.c\r\n...\r\n")
    }

    @Test("a folder gets each letter once, whole")
    func folder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mailer = Mailer(sender: try Self.sender(), transport: MailFolder(path: folder.path))
        for _ in 0..<2 { try await mailer.deliver(try Self.message("Hello", "Text")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["0123abcd.eml"])
        let away = Mailer(sender: try Self.sender(), transport: MailFolder(path: folder.path + "/none"))
        await #expect(throws: MailFailure.self) { try await away.deliver(try Self.message("Hello", "Text")) }
    }

    @Test(
        "places of mail: servers by name, folders by their whole path, and no password in either",
        arguments: [
            ("smtps://mail.example", "smtps://mail.example:465"), ("smtp://mail.example", "smtp://mail.example:587"),
            ("smtp://localhost:25", "smtp://localhost:25"), ("folder:/var/mail", "folder:/var/mail"),
            ("smtp://user:secret@mail.example", nil), ("smtp://mail.example/x", nil), ("smtp://10.0.0.1", nil),
            ("smtp://mail.example:0", nil), ("smtp://mail.example:65536", nil), ("http://mail.example", nil),
            ("folder:mail", nil), ("mail.example", nil), ("smtp://", nil),
        ] as [(String, String?)])
    func places(text: String, expected: String?) { #expect(MailPlace(text)?.description == expected) }

    @Test("credentials are two lines of a file that nobody else may read")
    func credentials() throws {
        #expect(MailCredentials("user\nsecret word\n") != nil && MailCredentials("user\r\nsecret\r\n") != nil)
        for text in ["", "user", "user\n", "user\n\n", "a\nb\nc", "\nb"] { #expect(MailCredentials(text) == nil) }
        #expect("\(try #require(MailCredentials("user\nhunter2")))".contains("hunter2") == false)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for (mode, isRead) in [(0o600, true), (0o644, false)] {
            _ = FileManager.default.createFile(
                atPath: file.path, contents: Data("user\nsecret\n".utf8), attributes: [.posixPermissions: mode])
            let read = try? MailCredentials(file: file.path)
            #expect((read != nil) == isRead)
        }
    }

    // MARK: A real mail server, aiosmtpd

    private static func folderOfKeys() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(
        "aiosmtpd takes a letter, with TLS before or after the first word, and reads what was written",
        arguments: ["plain", "starttls", "implicit"])
    func delivered(mode: String) async throws {
        let folder = try Self.folderOfKeys()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try PythonProgram("mail_server.py", mode, folder.path)
        defer { server.stop() }
        let port = Int(try #require(try await server.next()["port"]?.integer))
        var transport = SMTPTransport(
            place: SMTPPlace(host: "localhost", port: port, security: mode == "implicit" ? .implicit : .startTLS),
            credentials: nil)
        if mode != "plain" { transport.roots = .file(folder.path + "/certificate.pem") }
        let mailer = Mailer(sender: try Self.sender(), transport: transport)
        let subject = "Etwas wartet auf Sie: " + String(repeating: "schöne Grüße ", count: 10)
        let text = ".\r\nتنتظرك رسالة\n" + String(repeating: "long line ", count: 200) + "\n"
        let face = OrganisationFace(
            name: "Universität 北港", imprint: Imprint(contact: "mailto:office@north.example"))
        try await mailer.deliver(try Self.message(subject, text, face))
        let seen = try await server.next()
        #expect(seen.text("subject") == subject && seen.text("to") == "ada@mail.example")
        #expect(seen.text("origin") == "Universität 北港 <no-reply@sign.example>")
        #expect(seen.text("sender") == "no-reply@sign.example" && seen.text("id") == "<0123abcd@sign.example>")
        let signed = text + "\n-- \nUniversität 北港\nContact: office@north.example\n"
        #expect(
            seen.text("text")?.replacing("\r\n", with: "\n") == signed.replacing("\r\n", with: "\n"))
        #expect(seen["is_ascii"] == .bool(true) && seen["tls"] == .bool(mode != "plain"))
        #expect(try #require(seen["longest"]?.integer) <= 78)
        // A person who is not there, and a server that is busy.
        for (name, failure) in [
            ("nobody", MailFailure.refused("550 no such person")), ("later", .later("451 come again")),
        ] {
            let message = MailMessage(
                to: try #require(EmailAddress("\(name)@mail.example")), subject: "a", text: "b",
                letterhead: Self.letterhead(face), id: "1", time: 1)
            await #expect(throws: failure) { try await mailer.deliver(message) }
        }
    }

    @Test("a user signs in after TLS; a wrong password is the operator's to put right, and loses no letter")
    func signIn() async throws {
        let folder = try Self.folderOfKeys()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try PythonProgram("mail_server.py", "starttls", folder.path, "countersign:correct horse")
        defer { server.stop() }
        let port = Int(try #require(try await server.next()["port"]?.integer))
        func send(_ password: String) async throws {
            let transport = SMTPTransport(
                place: SMTPPlace(host: "localhost", port: port, security: .startTLS),
                credentials: MailCredentials("countersign\n\(password)\n"),
                roots: .file(folder.path + "/certificate.pem"))
            try await Mailer(sender: try Self.sender(), transport: transport).deliver(try Self.message("a", "b"))
        }
        do {
            try await send("hunter2")
            Issue.record("taken")
        } catch MailFailure.later(let words) {
            #expect(words.contains("535") && !words.contains("hunter2"))
        }
        try await send("correct horse")
        #expect(try await server.next().text("user") == "countersign")
    }

    @Test("a server whose certificate nobody vouches for gets nothing")
    func stranger() async throws {
        let folder = try Self.folderOfKeys()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try PythonProgram("mail_server.py", "starttls", folder.path)
        defer { server.stop() }
        let port = Int(try #require(try await server.next()["port"]?.integer))
        let transport = SMTPTransport(
            place: SMTPPlace(host: "localhost", port: port, security: .startTLS), credentials: nil)
        await #expect(throws: MailFailure.self) {
            try await Mailer(sender: try Self.sender(), transport: transport).deliver(try Self.message("a", "b"))
        }
    }

    /// What a server gets to hear that says these lines.
    private static func told(_ lines: [String], host: String = "127.0.0.1") async throws -> (String, MailFailure?) {
        let server = try await ScriptedServer(lines, host: host)
        let transport = SMTPTransport(
            place: SMTPPlace(host: host, port: server.port, security: .startTLS),
            credentials: MailCredentials("user\nhunter2\n"), patience: .seconds(60))
        var failure: MailFailure?
        do {
            try await transport.deliver(Bytes(text: "letter\r\n"), to: "a@b.example", from: "c@d.example", id: "1")
        } catch let error as MailFailure {
            failure = error
        }
        let told = server.told
        try await server.stop()
        return (told, failure)
    }

    @Test("without TLS another machine gets neither user nor letter, and this machine gets them")
    func noTLS() async throws {
        let lines = ["220 hello\r\n", "250-me\r\n250 SIZE\r\n"]
        let rest = ["235 welcome\r\n"] + Array(repeating: "250 OK\r\n", count: 2) + ["354 go\r\n", "250 OK\r\n"]
        let (elsewhere, failure) = try await Self.told(lines + rest, host: "127.0.0.2")
        #expect(elsewhere == "EHLO d.example\r\n" && failure == .later("the mail server offers no TLS"))
        let (here, none) = try await Self.told(lines + rest)
        #expect(none == nil && here.contains("AUTH PLAIN AHVzZXIAaHVudGVyMg==") && here.contains("letter\r\n.\r\n"))
        #expect(here.contains("MAIL FROM:<c@d.example>\r\nRCPT TO:<a@b.example>\r\nDATA\r\n"))
    }

    @Test("what somebody on the way puts in before TLS begins ends the conversation")
    func injection() async throws {
        let (told, failure) = try await Self.told([
            "220 hello\r\n", "250-me\r\n250 STARTTLS\r\n", "220 go\r\n250 AUTH PLAIN\r\n",
        ])
        #expect(told == "EHLO d.example\r\nSTARTTLS\r\n")
        #expect(failure == .later("the mail server said more before TLS"))
    }

    @Test(
        "a server that talks nonsense, or refuses",
        arguments: [
            ("hello\r\n", MailFailure.later("the mail server's reply cannot be read")),
            ("554 go away\r\n", .later("554 go away")), ("421 busy\r\n", .later("421 busy")),
            ("22\r\n", .later("the mail server's reply cannot be read")),
        ])
    func liars(line: String, expected: MailFailure) async throws {
        #expect(try await Self.told([line]).1 == expected)
    }

    @Test("a server that hangs up, and one whose line has no end, which must not fill the memory")
    func endless() async throws {
        #expect(try await Self.told([]).1 == .later("the mail server hung up"))
        let line = "220-" + String(repeating: "a", count: 40_000)
        #expect(try await Self.told([line]).1 == .later("the mail server says too much"))
    }

    @Test("a server that never comes to an end is left in time")
    func slow() async throws {
        let server = try await ScriptedServer(["220-still\r\n"])
        let transport = SMTPTransport(
            place: SMTPPlace(host: "127.0.0.1", port: server.port, security: .startTLS), credentials: nil,
            patience: .milliseconds(300))
        await #expect(throws: MailFailure.later("the mail server did not answer in time")) {
            try await transport.deliver([], to: "a@b.example", from: "c@d.example", id: "1")
        }
        try await server.stop()
    }
}
