import ArgumentParser
import Documents
import Encodings
import Testing

@testable import Wallet
@testable import countersign

@Suite("The command line")
struct CommandLineTests {
    /// The command of a line, parsed from the innermost one that its words name: the whole tree takes long to build.
    private static func parsed(_ line: String) throws -> any ParsableCommand {
        var words = line.split(separator: " ").map(String.init)[...]
        var command: any ParsableCommand.Type = Countersign.self
        while let word = words.first,
            let next = command.configuration.subcommands.first(where: {
                $0.configuration.commandName == word || $0.configuration.aliases.contains(word)
            })
        {
            command = next
            words.removeFirst()
        }
        return try command.parseAsRoot(Array(words))
    }

    @Test(
        "understands what the help says",
        arguments: [
            "wallet setup --server http://localhost:8080 --code C --organisation U --username a --name A",
            "wallet join --server https://a --invitation C", "wallet sign-up --server https://a --root-fingerprint ff",
            "wallet sign-in", "wallet sign-out --json", "wallet status --wallet w", "wallet devices",
            "wallet devices list",
            "wallet devices rename ID NAME", "wallet devices revoke ID --reason R --yes", "wallet sessions --end ID",
            "wallet enrol --passphrase-file p", "wallet catalogue", "wallet request transcript --note N",
            "wallet requests --state pending", "wallet cancel ID --reason R", "wallet documents --json",
            "wallet open ID --out -", "wallet present ID --to V --nonce N --show a --show b --out f --without-document",
            "wallet present ID --to V --all", "wallet share ID --to V --all --days 7 --views 3",
            "wallet shares --stop ID",
            "wallet delete ID -y", "wallet log", "log mine", "log audit DIR --log-key K --state S --json",
            "wallet admin invite administrator --hours 48", "wallet admin invitations --withdraw ID",
            "wallet admin members", "wallet admin administrators", "wallet admin administrators request",
            "wallet admin administrators certify ID --may sign_documents --days 30 --yes --json",
            "wallet admin administrators reject ID",
            // Their earlier names.
            "wallet admin delegations", "wallet admin delegations request", "wallet admin delegations reject ID",
            "wallet admin delegate ID --may sign_documents --days 30",
            "wallet admin check CODE --paper passport --field a=b",
            "wallet admin requests --state accepted --follow", "wallet admin accept ID", "wallet admin assign ID grace",
            "wallet admin cancel ID --reason R", "wallet admin issue ID --document f.pdf --fields f.json --field a=b",
            "wallet admin issued", "wallet admin revoke document ID --reason R",
            "wallet admin revoke device ID --reason R",
            "wallet admin revoke administrator ID --reason R --yes", "wallet admin block desk --reason R --yes",
            "wallet admin unblock desk", "desk clients ada love --json",
            "desk fields ID --set A=b --set C=d=e --clear F", "fetch LINK --code C --out F", "scan code.png --json",
            "wallet enrol authreq:2:AA --name phone --by w", "wallet challenges --json",
            "wallet challenges --all", "wallet challenges ID --out F --force",
            "wallet answer ID --allow --code 1", "wallet services", "wallet services remove ID -y",
            "wallet services budget --per-service 5 --json", "wallet services unfreeze --yes",
            "wallet answer ID --deny --reason not-me --scope account --yes", "wallet answer - --allow",
            "admin service add bank.example Bank --json", "admin service list --wallet w",
            "admin service rotate bank.example -y", "admin service remove bank.example --yes",
            "admin service webhook bank.example https://bank.example/hook", "admin service webhook bank.example --off",
            "admin service quorum bank.example --currency GBP --step 0:1 --step 100000:2",
            "admin service quorum bank.example --none --json",
            "pin example.edu --out root.pem --log-key-out log.vkey --json",
            "wallet scan code.png --account ID --yes --stay --json", "wallet scan - --old-service p192",
            "wallet vault make --recovery-out F --json", "wallet vault slots", "wallet vault slots --json",
            "wallet vault slots add --recovery", "wallet vault slots add --pin-file P",
            "wallet vault slots remove ID -y",
            "wallet vault ls", "wallet vault ls a/* b -r --tag t --json", "wallet vault ls --trash",
            "wallet vault put a b --to c --replace --tag t --tag u", "wallet vault put - --to a",
            "wallet vault put -r a",
            "wallet vault get a -o -", "wallet vault get a --version 1 --force",
            "wallet vault get a -r -o f --lock-pin",
            "wallet vault note a", "wallet vault note a --write - --replace", "wallet vault mkdir -p a/b c",
            "wallet vault mv a b c", "wallet vault rm -r a --destroy -y", "wallet vault rm --empty-trash --yes",
            "wallet vault restore a", "wallet vault lock a --new-pin-file F",
            "wallet vault lock --off a --lock-pin-file F",
            "wallet vault export --to f --recipient age1x --recipients-file r", "wallet vault export a --to f --plain",
            "wallet vault import f --to a --replace -i k --seal-passphrase-file p",
            "wallet vault seal f -o g --recipient age1x --force", "wallet vault open f -o - -i k --json",
            "wallet accounts", "wallet accounts rename ID NAME", "wallet accounts forget ID -y",
            "wallet accounts strict ID --off", "wallet backup F --json", "wallet restore F --phrase-file P",
            "wallet restore F --original --old-services",
            "pico-service pair --channel https://a --name N --user u --identity I --pairings P --curve p384 --json",
            "pico-service auth --channel https://a/channel/c --continuous --lifetime 60 --interval 5",
            "verify F --trust R --log-key K --audience A --nonce N --at 0 --status S --extract D --require-document --json",
            "verify F --trust R --live --document D --any-audience", "verify F --trust R --maximum-age 0",
            "verify F --trust R --maximum-age 876600",
        ])
    func understood(line: String) throws {
        _ = try Self.parsed(line)
    }

    @Test(
        "refuses what makes no sense",
        arguments: [
            "wallet vault put", "wallet vault put -", "wallet vault put - a --to b", "wallet vault get",
            "wallet vault ls --trash a", "wallet vault mv a", "wallet vault rm", "wallet vault rm a --empty-trash",
            "wallet vault get a b --version 1", "wallet vault get a --version -1", "wallet vault export",
            "wallet vault ls --pin-file a --recovery-file b", "wallet vault seal f",
            "wallet setup --code C", "wallet sign-in --passphrase secret", "wallet present ID", "wallet delete",
            "wallet present ID --to V --all --show a", "wallet share ID --to V --all --days 0",
            "wallet share ID --to V --all --views 1001", "wallet requests --state lost", "wallet cancel ID",
            "wallet admin invite member", "wallet admin invite owner", "wallet admin invite operator --hours 0",
            "wallet admin delegate ID --may everything", "wallet admin delegate ID --days 731",
            "wallet admin administrators certify", "wallet admin administrators certify ID --days 731",
            "wallet admin check C --paper library_card", "wallet admin revoke document ID", "verify F", "fetch LINK",
            "scan",
            "wallet devices revoke ID", "nonsense", "verify F --trust R --maximum-age 2562047788015216",
            "verify F --trust R --maximum-age 9223372036854775807", "verify F --trust R --maximum-age -1",
            "verify F --trust R --maximum-age 876601", "verify F --trust R --live --at 0",
            "verify F --trust R --live --status S", "verify F --trust R --audience A --any-audience",
            "wallet admin invite operator --hours 2562047788015216",
            "wallet admin delegate ID --days 106751991167301", "wallet share ID --to V --all --days 106751991167301",
            "log monitor P --log-key K --state S --every 9223372036854775807",
            "desk fields", "desk fields ID --set A", "desk fields ID --set =b",
            "desk fields ID --set A=b --clear A",
            "admin service add bank.example", "admin service rotate", "admin service webhook bank.example",
            "admin service webhook bank.example https://bank.example/hook --off",
            "admin service quorum bank.example", "admin service quorum bank.example --currency GBP",
            "admin service quorum bank.example --step 0:1", "admin service quorum bank.example --none --currency GBP",
            "admin service quorum bank.example --none --step 0:1",
            "admin service quorum bank.example --currency XXX --step 0:1",
            "admin service quorum bank.example --currency GBP --step 1:1",
            "admin service quorum bank.example --currency GBP --step 0:1 --step 10:1",
            "admin service quorum bank.example --currency GBP --step 0",
            "admin service quorum bank.example --currency GBP --step 0:1 --step 1000.00:2",
            "wallet enrol --name phone", "wallet answer ID", "wallet challenges ID --all", "wallet challenges --out F",
            "wallet answer ID --allow --deny", "wallet answer ID --deny", "wallet answer ID --deny --reason because",
            "wallet answer ID --allow --reason mistake", "wallet answer ID --deny --reason mistake --code 1",
            "wallet services remove", "wallet services budget --per-service 61", "wallet services budget --together 0",
            "wallet scan", "wallet scan c --old-service p256", "wallet scan c --old-service rsa",
            "wallet accounts rename ID", "wallet accounts forget", "wallet backup", "wallet restore",
            "wallet restore F --old-services", "pico-service pair --channel https://a",
            "pico-service pair --channel https://a --name N --user a:b", "pico-service auth",
            "pico-service auth --channel https://a --lifetime 0",
            "pico-service auth --channel https://a --interval 3601",
            "demo --port 65536", "signatures convert F --to xml --out O --coarsen 2147483647",
        ])
    func refused(line: String) {
        let error = #expect(throws: (any Error).self) {
            try Self.parsed(line)
        }
        #expect(error.map { Countersign.exitCode(for: $0) } != .success)
    }

    @Test("gives every command words and an example")
    func help() {
        var left: [any ParsableCommand.Type] = [
            WalletCommand.self, VerifyCommand.self, PinCommand.self, FetchCommand.self, LogCommand.self,
            DeskCommand.self, ServiceCommand.self, PicoServiceCommand.self,
        ]
        var count = 0
        while let command = left.popLast() {
            let configuration = command.configuration
            left += configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
            count += 1
            #expect(!configuration.abstract.isEmpty, "\(command)")
            #expect(configuration.discussion.contains("countersign "), "\(command)")
        }
        #expect(count > 40)
    }

    @Test(
        "reads fields as their type wants them",
        arguments: [
            ("credits_total=180", JSON.integer(180)), ("credits_total=7.5", .text("7.5")),
            ("programme=A=B", .text("A=B")),
            ("given_name=", .text("")), ("period_start=2026-01-31", .text("2026-01-31")),
            ("courses=[{\"code\":\"C\"}]", .array([.members([("code", .text("C"))])])),
        ])
    func fields(text: String, value: JSON) throws {
        #expect(try FieldOptions.parse(text, DocumentCatalogue.transcript).value == value)
    }

    @Test(
        "refuses fields that the type does not have", arguments: ["", "=", "=x", "given_name", "grade=1", "courses=x"])
    func noFields(text: String) {
        #expect(throws: CommandError.self) { try FieldOptions.parse(text, DocumentCatalogue.transcript) }
    }

    @Test(
        "reads times",
        arguments: [
            ("0", 0), ("1790000000", 1_790_000_000), ("1970-01-02", 86_400), ("1970-01-01T00:01:00Z", 60),
        ])
    func times(text: String, time: Int64) throws {
        #expect(try TimeText.parse(text) == time)
    }

    @Test(
        "refuses other times",
        arguments: [
            "", "now", "-1", "1970-13-01", "1970-01-01 00:00", "99999999999999999999",
            "999999999999999-01-01T00:00:00Z",
        ])
    func noTimes(text: String) {
        #expect(throws: CommandError.self) { try TimeText.parse(text) }
    }

    @Test("shows nothing that could steer the terminal")
    func shown() {
        #expect(Bytes(text: "a\u{1B}[31mb\u{202E}c\nd").shown == "a\u{FFFD}[31mb\u{FFFD}c d")
    }
}
