import Encodings
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Server

@Suite("Linked scripts", .onOneEngine)
struct LinkedScriptsTests {
    @Test(
        "leave out what only people read",
        arguments: [
            ("// one\nconst a = 1; // two\n\n  b();\n", "const a = 1;\nb();\n"),
            ("/** What it is. */\nf(/* none */);\n", "f();\n"),
            ("const s = '// no' + \"/* no */\";\n", "const s = '// no' + \"/* no */\";\n"),
            (
                "const t = `  // ${f(`/* ${'}'} */`)}\n  as it is`;\n",
                "const t = `  // ${f(`/* ${'}'} */`)}\n  as it is`;\n"
            ),
            ("x = a / b; // half\ny = c / d;\n", "x = a / b;\ny = c / d;\n"),
            ("return /[/*]\\/'/.test(s);\n", "return /[/*]\\/'/.test(s);\n"),
            ("s.split(/\\s*\\/\\/.*/); // rest\n", "s.split(/\\s*\\/\\/.*/);\n"),
            ("a\n/* b\n */ c\n", "a\nc\n"),
        ])
    func text(source: String, expected: String) {
        #expect(String(decoding: ScriptText(Bytes(text: source)).bytes, as: UTF8.self) == expected)
    }

    @Test(
        "are functions of what they import",
        arguments: [
            ("import { a, b as c } from \"../shell/x.js\";\n", "[\"shell/x.js\"],async({a,b:c})=>{\n});\n"),
            ("import {\n  a,\n  b,\n} from './x.js';\n", "[\"area/x.js\"],async({a,b})=>{\n});\n"),
            ("import * as x from \"./x.js\";\n", "[\"area/x.js\"],async(x)=>{\n});\n"),
            ("import \"./x.js\";\nimport * as y from './y.js';\n", "[\"area/y.js\",\"area/x.js\"],async(y)=>{\n});\n"),
            (
                "export const a = 1;\nexport async function b() {}\n",
                "[],async()=>{\nconst a = 1;\nasync function b() {}\nreturn{a,b}});\n"
            ),
            ("export class A extends B {}\n", "[],async()=>{\nclass A extends B {}\nreturn{A}});\n"),
            ("function r() {}\nexport { r as delete };\n", "[],async()=>{\nfunction r() {}\nreturn{delete:r}});\n"),
            ("export { a } from \"../shell/x.js\";\n", "[\"shell/x.js\"],async(from0)=>{\nreturn{a:from0.a}});\n"),
            (
                "const f = () => import(\"./x.js\");\n",
                "[],async()=>{\nconst f = () => modules.load(\"area/x.js\");\n});\n"
            ),
            ("import(`/assets/${name}.js`);\n", "[],async()=>{\nmodules.load(`/assets/${name}.js`);\n});\n"),
        ])
    func module(source: String, rest: String) throws {
        let module = try ScriptModule(path: "area/it.js", source: Bytes(text: source))
        #expect(String(decoding: module.definition, as: UTF8.self) == "modules.add(\"area/it.js\"," + rest)
    }

    @Test(
        "let a module wait wherever it does",
        arguments: [
            "await start();", "try {\n  await start();\n} finally {\n  end();\n}", "if (a) {\n  await start();\n}",
        ])
    func waiting(source: String) throws {
        let module = try ScriptModule(path: "a/it.js", source: Bytes(text: source + "\n"))
        #expect(String(decoding: module.definition, as: UTF8.self).hasPrefix("modules.add(\"a/it.js\",[],async()=>{\n"))
    }

    @Test(
        "refuse what they cannot link",
        arguments: [
            "import a from \"./a.js\";\n", "export let a = 1;\n", "export default a;\n", "export * from \"./a.js\";\n",
            "export const [a, b] = c;\n",
        ])
    func refused(source: String) {
        #expect(throws: ScriptModule.Mistake.self) { try ScriptModule(path: "area/it.js", source: Bytes(text: source)) }
    }

    @Test("bring each module after what it imports, and nothing that every page has")
    func order() throws {
        let scripts = Self.scripts([
            "shell/a.js": "export const a = 1;", "shell/page.js": "import { a } from './a.js';",
            "area/b.js": "import { a } from '../shell/a.js';\nexport const b = a;",
            "area/own.js": "import { b } from \"./b.js\";\nimport(\"./later.js\");",
            "area/later.js": "import { b } from \"./b.js\";",
        ])
        #expect(try scripts.closure(of: "area/own.js") == ["shell/a.js", "area/b.js", "area/own.js"])
        #expect(try scripts.loaded(by: ["area/own.js"]) == ["area/later.js"])
        let own = try Self.text(scripts, "linked/en/area/own.js")
        let names = own.matches(of: /modules\.add\("([^"]*)"/).map { String($0.1) }
        #expect(names == ["area/b.js", "area/own.js"])
        let base = try Self.text(scripts, "linked/en/shell/page.js")
        #expect(base.hasPrefix("globalThis.countersignModules ??= {") && !own.contains("??="))
        for path in ["linked/en/area/none.js", "linked/xx/area/own.js", "linked/en", "linked/en/"] {
            #expect(try scripts.file(at: path) == nil, "\(path)")
        }
    }

    @Test("say which modules import each other in a circle, or one that is not there")
    func mistakes() {
        let circle = Self.scripts([
            "a/a.js": "import \"./b.js\";", "a/b.js": "import \"./a.js\";", "a/c.js": "import \"./d.js\";",
        ])
        #expect(throws: ScriptModule.Mistake.self) { try circle.closure(of: "a/a.js") }
        #expect(throws: ScriptModule.Mistake(path: "a/d.js", statement: "is not there")) {
            try circle.closure(of: "a/c.js")
        }
    }

    @Test("can be made of every module, and bring its texts in the language")
    func all() throws {
        let folder = try WebFolder(Pages.builtFolder)
        // Workers and what has no module of a page.
        let alone = { (path: String) in
            path.hasSuffix("-worker.js") || ["shell/sw.js", "shell/linking.js"].contains(path)
        }
        for path in folder.files.keys.filter({ $0.hasSuffix(".js") && !alone($0) }).sorted() {
            for code in ["en", "ar"] {
                #expect(try folder.file(at: LinkedScripts.path(of: path, in: code)) != nil, "\(path)")
            }
        }
        let page = try #require(try folder.file(at: "linked/de/admin/requests.js"))
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains("Object.assign(globalThis.countersignWords ??= {}, {") && text.contains("Anfrage"))
    }

    @Test(
        "keep the first visit to a section below 70 kB in every language, page, styles and pictures among them",
        arguments: (Page.ofEverybody + Slice.all.pages).filter {
            $0.place != nil || $0.path == "/" || $0.path == "/verify"
        }
        .map(\.path))
    func sizes(path: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            for language in ["en", "de", "ar"] {
                let headers: HTTPFields = [.acceptEncoding: "gzip", .cookie: "language=\(language)"]
                func get(_ path: String) async throws -> TestResponse {
                    try await test.client.execute(uri: path, method: .get, headers: headers)
                }
                let page = try await get(path)
                let plain = try await test.client.execute(
                    uri: path, method: .get, headers: [.cookie: "language=\(language)"]
                ).text
                #expect(page.headers[.contentEncoding] == "gzip")
                // The files that a browser fetches at once, each with some 450 bytes of headers; the installer comes
                // separately.
                let files = Set(
                    plain.matches(of: /(?:src|<link rel="(?:stylesheet|icon)" href|use href)="(\/[^"#?]*)/).map {
                        String($0.1)
                    })
                var size = page.body.readableBytes + 1_500
                for file in files.union(["/assets/linked/\(language)/shell/install.js"]) {
                    size += try await get(file).body.readableBytes + 450
                }
                #expect(files.count > 3 && size < 70_000, "\(path) in \(language): \(size)")
            }
        }
    }

    private static func scripts(_ sources: [String: String]) -> LinkedScripts {
        LinkedScripts(
            sources: sources.merging(["shell/linking.js": "globalThis.countersignModules ??= {};\n"]) { $1 }
                .mapValues { Bytes(text: $0 + "\n") },
            catalogues: [.english], base: ["shell/page.js"])
    }

    private static func text(_ scripts: LinkedScripts, _ path: String) throws -> String {
        String(decoding: try #require(try scripts.file(at: path)).bytes, as: UTF8.self)
    }
}
