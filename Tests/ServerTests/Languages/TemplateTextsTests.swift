import Testing

@testable import Server

@Suite("Texts of templates and modules")
struct TemplateTextsTests {
    @Test(
        "are what stands in the innermost block",
        arguments: [
            ("<p>One\n  two</p>", ["One two"]),
            ("<p>Say <b>who</b> you are.</p>", ["Say <b>who</b> you are."]),
            ("<li><a href=\"/help\">Help</a></li>", ["Help"]),
            ("<div><p>One</p> two <p>three</p></div>", ["One", "two", "three"]),
            ("<p>A<br>b</p>", ["A<br>b"]),
            ("<a class=\"card\" href=\"/\"><svg><use href=\"#x\"/></svg><h3>Go</h3></a>", ["Go"]),
            ("<button><svg><title>Not this</title></svg>Copy</button>", ["Copy"]),
            ("<dt>All of it<br>(of the root)</dt>", ["All of it<br>(of the root)"]),
            ("<p>Use <code>this</code>.</p><code>that</code>", ["Use <code>this</code>."]),
            ("<p>Read <a href=\"/a\">one</a> or two</p>", ["Read <a href=\"/a\">one</a> or two"]),
        ])
    func blocks(template: String, keys: [String]) {
        #expect(TemplateTexts.keys(of: template) == keys)
        #expect(TemplateTexts.translate(template) { _ in nil } == template)
    }

    @Test(
        "hold the values and sections that are among their words, and no others",
        arguments: [
            ("{{<shell/layout}}{{$title}}Help{{/title}}{{/shell/layout}}", ["Help"]),
            ("{{#a}}<p>Run by {{name}}.</p>{{/a}}", ["Run by {{name}}."]),
            ("<p>{{#a}}Yes{{/a}}</p>", ["Yes"]),
            ("<p>Ask {{#a}}{{b}}{{/a}}{{^a}}them{{/a}}.</p>", ["Ask {{#a}}{{b}}{{/a}}{{^a}}them{{/a}}."]),
            ("<p>{{name}}</p><p>12 · {{name}}</p>", []), ("{{#a}}\n<li>One</li>\n{{/a}}", ["One"]),
        ])
    func mustache(template: String, keys: [String]) {
        #expect(TemplateTexts.keys(of: template) == keys)
        #expect(TemplateTexts.translate(template) { _ in nil } == template)
    }

    @Test("are attributes for people too, and nothing that programs read")
    func attributes() {
        let template = """
            <img alt="A seal" src="/x"><input placeholder="Name {{n}}" id="Words"><p translate="no"><b>Countersign</b></p>
            <script>const a = "<p>Not</p>";</script><style>p { color: red }</style><!-- Not this -->
            <meta name="description" content="What it is"><nav aria-label="{{area}}"></nav>
            """
        #expect(TemplateTexts.keys(of: template) == ["A seal", "Name {{n}}", "What it is"])
        let german = TemplateTexts.translate(template) { ["A seal": "Ein Siegel"][$0] }
        #expect(german == template.replacing("A seal", with: "Ein Siegel"))
    }

    @Test("give way to those of another language, with the space around them")
    func translating() {
        let german = ["Say <b>who</b>.": "Sagen Sie, <b>wer</b>.", "Help": "Hilfe"]
        #expect(
            TemplateTexts.translate("<p> Say\n<b>who</b>. </p>\n<li><a title=\"Help\">Help</a></li>") { german[$0] }
                == "<p> Sagen Sie, <b>wer</b>. </p>\n<li><a title=\"Hilfe\">Hilfe</a></li>")
    }

    @Test("of modules are what the functions for texts are called with")
    func modules() {
        let module = """
            const a = t`Signed by ${names.map((n) => { return n; })[0]} on
              ${day}`; export const part = not`this`;
            plural(list.length, '{0} view', '{0} views'); impluralise("a", "b"); f(t`It's \\`so\\``)
            """
        #expect(
            ModuleTexts.keys(of: module) == [
                .init(text: "Signed by {0} on {1}", isPlural: false), .init(text: "{0} views", isPlural: true),
                .init(text: "It's `so`", isPlural: false),
            ])
    }
}
