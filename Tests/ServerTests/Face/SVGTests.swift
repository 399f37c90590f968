import Encodings
import Foundation
import Testing

@testable import Server

@Suite("An SVG logo")
struct SVGTests {
    /// A picture around some parts.
    private static func svg(_ inside: String, _ root: String = #"viewBox="0 0 40 20""#) -> Bytes {
        Bytes(
            text:
                #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \#(root)>\#(inside)</svg>"#
        )
    }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "loses what runs, loads or leads elsewhere",
        arguments: [
            "<script>alert(1)</script>", "<SCRIPT>alert(1)</SCRIPT>", "<script><![CDATA[alert(1)]]></script>",
            "<svg:script xmlns:svg='http://www.w3.org/2000/svg'>alert(1)</svg:script>",
            "<foreignObject><body><img src='x' onerror='alert(1)'/></body></foreignObject>",
            "<image href='https://evil.example/track.png'/>", "<image xlink:href='data:image/svg+xml,evil.example'/>",
            "<use href='https://evil.example/#x'/>", "<use href='#evil.example'/>",
            "<a href='javascript:alert(1)'><text>evil.example</text></a>",
            "<style>@import 'https://evil.example/a.css'; * { fill: url(https://evil.example) }</style>",
            "<set attributeName='href' to='javascript:alert(1)'/>", "<animate onbegin='alert(1)'/>",
            "<filter id='f'><feImage href='https://evil.example'/></filter>",
            "<g onload='alert(1)'/>", "<g ONCLICK='alert(1)'/>",
            "<rect fill='url(https://evil.example#a)'/>", "<rect fill='url(//evil.example#a)'/>",
            "<rect fill='u&#114;l(https://evil.example)'/>", "<rect style='fill:url(https://evil.example)'/>",
            "<rect style='background-image:url(evil.example)'/>", "<rect style='fill:expression(alert(1))'/>",
            "<rect style='fill:u\\72l(//evil.example)'/>", "<rect clip-path='url(evil.example#a)'/>",
            "<linearGradient id='g' xlink:href='https://evil.example#g'/>", "<path mask='url(#evil.example)'/>",
            "<?xml-stylesheet href='https://evil.example/a.css'?>", "<!-- evil.example --> ",
            "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>".replacing("alert(1)", with: ""),
        ])
    func attacks(inside: String) throws {
        let picture = try SVGPicture(Self.svg(inside + "<circle cx='5' cy='5' r='5'/>"))
        let kept = Self.text(picture.bytes)
        for word in ["<script", "alert", "evil.example", "javascript", "onload", "foreignObject", "import", "data:"] {
            #expect(!kept.lowercased().contains(word.lowercased()), "\(kept)")
        }
        #expect(kept.contains("<circle"))
    }

    @Test("says what was left out")
    func told() throws {
        let picture = try SVGPicture(Self.svg("<script>1</script><rect width='4' height='4' onclick='1' data-x='1'/>"))
        #expect(picture.leftOut == ["data-x", "onclick", "script"])
    }

    @Test("is refused when it is a bomb, cut off or no picture")
    func refused() {
        let deep = String(repeating: "<g>", count: 40) + String(repeating: "</g>", count: 40)
        let cases: [(Bytes, SVGFault?)] = [
            (Bytes(text: "<!DOCTYPE svg [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>") + Self.svg("&b;"), .entities),
            (Bytes(text: "<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>") + Self.svg("&x;"), .entities),
            (Self.svg("<text>&nbsp;</text>"), nil), (Self.svg(deep), .tooMuch),
            (Self.svg(String(repeating: "<g/>", count: 4_001)), .tooMuch), (Self.svg("<g>"), nil),
            (Self.svg("<g></h>"), nil), (Self.svg("<g a='1' a='2'/>"), nil), (Self.svg("<g a=1/>"), nil),
            (Self.svg("<circle r='1'/>") + Bytes(text: "<svg/>"), nil), (Self.svg("<circle r='1'/>") + [0xFF], nil),
            (Self.svg(""), .empty), (Self.svg("<title>only words</title>"), .empty),
            (Self.svg("<circle r='1'/>", "viewBox='0 0 1e9 1e9'"), .noSize),
            (Self.svg("<circle r='1'/>", "viewBox='0 0 0 0'"), .noSize),
            (Self.svg("<circle r='1'/>", "viewBox='0 0 nan inf'"), .noSize),
            (Self.svg("<circle r='1'/>", "width='99999999px' height='99999999px'"), .noSize),
            (Self.svg("<circle r='1'/>", ""), .noSize), (Bytes(text: "<html><body/></html>"), nil), ([], nil),
        ]
        for (file, fault) in cases {
            let thrown = #expect(throws: SVGFault.self, "\(Self.text(Array(file.prefix(200))))") {
                _ = try SVGPicture(file)
            }
            if let fault {
                #expect(thrown == fault)
            } else if case .malformed? = thrown {
            } else {
                Issue.record("\(String(describing: thrown)) for \(Self.text(file))")
            }
        }
    }

    @Test("keeps what a logo is drawn with, in a size that a page can use")
    func kept() throws {
        let drawn = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
            <!-- Made by hand -->
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90mm" height="30mm">
            <metadata>tools</metadata><defs><linearGradient id="g"><stop offset="0" style="stop-color:#fff;stop-opacity:1"/>
            </linearGradient><linearGradient id="h" xlink:href="#g" gradientTransform="rotate(45)"/></defs>
            <g transform="translate(1,2) scale(.5)"><path d="M0 0h10v-3.5e-2z" style="fill:url('#h');stroke:#0a6655"/></g>
            <text x="1" font-family="'Noto Sans', serif">A &amp; Ω &#x42;</text></svg>
            """
        let picture = try SVGPicture(Bytes(text: drawn))
        let kept = Self.text(picture.bytes)
        for part in [
            ##"width="512" height="170" viewBox="0 0 90 30""##,
            ##"<stop stop-color="#fff" stop-opacity="1" offset="0">"##,
            ##"<linearGradient id="h" href="#g" gradientTransform="rotate(45)">"##,
            ##"fill="url(#h)" stroke="#0a6655""##,
            ##"d="M0 0h10v-3.5e-2z""##, "A &amp; Ω B</text>",
        ] { #expect(kept.contains(part), "\(part) in \(kept)") }
        #expect(picture.leftOut.isEmpty && picture.width == 512 && picture.height == 170)
        // A picture that was written once stays as it is: a logo can be put back.
        #expect(try SVGPicture(picture.bytes).bytes == picture.bytes)
    }

    @Test("does not let cuts within cuts multiply")
    func cuts() throws {
        let cuts = (0..<20).map { number in
            let inside = String(repeating: "<rect width='1' clip-path='url(#c\(number + 1))'/>", count: 10)
            return "<clipPath id='c\(number)' clip-path='url(#c\(number + 1))'>\(inside)</clipPath>"
        }.joined()
        let kept = Self.text(try SVGPicture(Self.svg(cuts + "<rect clip-path='url(#c0)' width='9'/>")).bytes)
        #expect(kept.components(separatedBy: "clip-path=").count == 2)
    }
}
