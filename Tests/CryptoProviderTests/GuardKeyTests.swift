import CryptoProvider
import Encodings
import Testing

@Suite struct GuardKeyTests {
    private func bytes(_ hexadecimal: String) throws -> Bytes { try #require(Hex.decode(Bytes(text: hexadecimal))) }

    @Test("RFC 9497, appendix A.4.2, test vector 1: the evaluated element and the public key")
    func vector() throws {
        let key = try GuardKey(
            rawRepresentation: bytes(
                "051646b9e6e7a71ae27c1e1d0b87b4381db6d3595eeeb1adb41579adbf992f4278f9016eafc944edaa2b43183581779d"))
        let publicKey = try bytes(
            "031d689686c611991b55f1a1d8f4305ccd6cb719446f660a30db61b7aa87b46acf59b7c0d4a9077b3da21c25dd482229a0")
        #expect(key.publicKey == publicKey)
        let blinded = try bytes(
            "02d338c05cbecb82de13d6700f09cb61190543a7b7e2c6cd4fca56887e564ea82653b27fdad383995ea6d02cf26d0e24d9")
        let evaluation = try key.evaluate(blinded)
        let element = try bytes(
            "02a7bba589b3e8672aa19e8fd258de2e6aae20101c8d761246de97a6b5ee9cf105febce4327a326255a3c604f63f600ef6")
        #expect(evaluation.element == element)
        #expect(evaluation.proof.count == 96)
    }

    @Test("one input has one output under a key, however it is blinded, and others under other keys")
    func outputs() throws {
        let (key, other) = (GuardKey(), GuardKey())
        func output(_ input: Bytes, _ key: GuardKey) throws -> Bytes {
            let question = try GuardQuestion(input)
            return try question.finish(key.evaluate(question.blinded), of: key.publicKey)
        }
        let first = try output([1, 2, 3], key)
        #expect(try first.count == 48 && output([1, 2, 3], key) == first)
        #expect(try output([1, 2, 4], key) != first && output([1, 2, 3], other) != first)
        let again = try GuardKey(rawRepresentation: key.rawRepresentation)
        #expect(try output([1, 2, 3], again) == first)
        #expect(try GuardQuestion([1]).blinded != GuardQuestion([1]).blinded)
    }

    @Test("an evaluation by another key, or with a changed bit, is found; what is no element or key is refused")
    func attacks() throws {
        let (key, other) = (GuardKey(), GuardKey())
        let question = try GuardQuestion([7])
        let good = try key.evaluate(question.blinded)
        #expect(throws: KeyError.failed) {
            try question.finish(other.evaluate(question.blinded), of: key.publicKey)
        }
        var proof = good.proof
        proof[20] ^= 1
        #expect(throws: KeyError.failed) {
            try question.finish(.init(element: good.element, proof: proof), of: key.publicKey)
        }
        #expect(throws: KeyError.failed) {
            try question.finish(.init(element: good.element, proof: Array(proof.dropLast())), of: key.publicKey)
        }
        for element in [[], Bytes(repeating: 0, count: 49), [4] + Bytes(repeating: 1, count: 48), good.element + [0]] {
            #expect(!GuardKey.isElement(element))
            #expect(throws: KeyError.notOnCurve) { try key.evaluate(element) }
        }
        for raw in [[], Bytes(repeating: 0, count: 48), Bytes(repeating: 0xFF, count: 48), [1]] {
            #expect(throws: KeyError.malformed) { try GuardKey(rawRepresentation: raw) }
        }
    }
}
