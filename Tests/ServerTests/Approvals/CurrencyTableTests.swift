import Approvals
import Encodings
import Foundation
import Testing

/// The decimal places that the page knows, and those by which amounts are signed and shown.
@Suite("Currencies of the page")
struct CurrencyTableTests {
    @Test("a page and Core have the same decimal places for every currency")
    func decimals() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let module = try String(contentsOf: root.appending(path: "Web/approvals/amounts.js"), encoding: .utf8)
        let table = module.matches(of: try Regex("\\b([A-Z]{3}): ([0-9])\\b")).reduce(into: [String: Int]()) {
            $0[String($1.output[1].substring ?? "")] = Int($1.output[2].substring ?? "")
        }
        let letters = (0x41...0x5A) as ClosedRange<UInt8>
        var known: [String: Int] = [:]
        for first in letters {
            for second in letters {
                for third in letters {
                    guard let currency = Currency(code: [first, second, third]), currency.exponent != 2 else {
                        continue
                    }
                    known[String(decoding: currency.code, as: UTF8.self)] = currency.exponent
                }
            }
        }
        #expect(table == known && known.count == 26)
    }
}
