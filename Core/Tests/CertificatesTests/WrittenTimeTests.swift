import Encodings
import Foundation
import Testing

@testable import Certificates

@Suite("Written times")
struct WrittenTimeTests {
    @Test(
        "are UTCTime until 2049 and GeneralizedTime after",
        arguments: [
            (Int64(0), "700101000000Z"), (951_782_399, "000228235959Z"), (951_782_400, "000229000000Z"),
            (1_709_164_800, "240229000000Z"), (2_524_607_999, "491231235959Z"), (2_524_608_000, "20500101000000Z"),
            (4_107_542_399, "21000228235959Z"), (4_107_542_400, "21000301000000Z"),
            (253_402_300_799, "99991231235959Z"),
        ])
    func examples(time: Int64, text: String) throws {
        let tag = text.utf8.count == 13 ? DERTag.utcTime : DERTag.generalizedTime
        #expect(CertificateTime.written(time) == DERWriter.element(tag, Bytes(text: text)))
    }

    @Test("are read back, from every year until 9999")
    func roundTrip() throws {
        for time in stride(from: Int64(0), through: 253_402_300_799, by: 12_345_678 * 60 + 7) {
            var reader = CertificateReader(try #require(CertificateTime.written(time)))
            #expect(try CertificateTime.read(from: &reader) == time)
        }
    }

    @Test("do not exist before 1970 and after 9999", arguments: [-1, 253_402_300_800, Int64.max, .min])
    func outside(time: Int64) {
        #expect(CertificateTime.written(time) == nil)
    }
}
