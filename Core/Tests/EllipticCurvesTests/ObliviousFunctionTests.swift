import Encodings
import Testing

@testable import EllipticCurves

/// The vectors of RFC 9497 appendix A.4.2: VOPRF(P-384, SHA-384).
private struct Vectors {
    let seed: Bytes
    let keyInfo: Bytes
    let key: Bytes
    let publicKey: Bytes
    let runs: [Run]

    struct Run {
        let inputs, blinds, blinded, evaluated, outputs: [Bytes]
        let proof, randomness: Bytes
    }

    init() throws {
        let file = try JSON.parse(Bytes(text: Fixture.text("voprf-p384-sha384.json")))
        func hex(_ json: JSON?, _ name: StaticString) throws -> [Bytes] {
            try (json?[name]?.string ?? []).split(at: 0x2C).map { part in
                guard let bytes = Hex.decode(part) else { throw Fixture.Missing(name: "hex") }
                return bytes
            }
        }
        seed = try hex(file, "seed")[0]
        keyInfo = try hex(file, "keyInfo")[0]
        key = try hex(file, "skSm")[0]
        publicKey = try hex(file, "pkSm")[0]
        runs = try (file["vectors"]?.array ?? []).map { run in
            Run(
                inputs: try hex(run, "Input"), blinds: try hex(run, "Blind"), blinded: try hex(run, "BlindedElement"),
                evaluated: try hex(run, "EvaluationElement"), outputs: try hex(run, "Output"),
                proof: try hex(run["Proof"], "proof")[0], randomness: try hex(run["Proof"], "r")[0])
        }
    }
}

@Suite struct ObliviousFunctionTests {
    private let vectors: Vectors
    private let server: ObliviousServer

    init() throws {
        vectors = try Vectors()
        server = try ObliviousServer(key: vectors.key)
    }

    @Test func keysAreDerivedAsInTheRFC() throws {
        #expect(vectors.runs.count == 3)
        let derived = try ObliviousServer.derive(seed: vectors.seed, info: vectors.keyInfo)
        #expect(derived.publicKey == vectors.publicKey && server.publicKey == vectors.publicKey)
    }

    @Test func bothHalvesGiveTheVectors() throws {
        for run in vectors.runs {
            let clients = try zip(run.inputs, run.blinds).map { try ObliviousClient(input: $0, blind: $1) }
            #expect(clients.map(\.blindedElement) == run.blinded)
            let answer = try server.evaluate(run.blinded, randomness: run.randomness)
            #expect(answer.elements == run.evaluated)
            #expect(answer.proof == run.proof)
            #expect(
                EqualityProof.isValid(
                    run.proof, publicKey: vectors.publicKey, elements: run.blinded, evaluated: run.evaluated))
            guard run.inputs.count == 1 else { continue }
            let value = clients[0].value(evaluated: run.evaluated[0], proof: run.proof, publicKey: vectors.publicKey)
            #expect(value == run.outputs[0])
        }
    }

    /// One blinded element under four keys: four values, each with its proof.
    @Test func fourKeysGiveFourValues() throws {
        let run = vectors.runs[1]
        let client = try ObliviousClient(input: run.inputs[0], blind: run.blinds[0])
        var values: [Bytes] = []
        for number: UInt8 in 0..<4 {
            let server = try ObliviousServer.derive(seed: vectors.seed, info: [number])
            let answer = try server.evaluate([client.blindedElement], randomness: run.randomness)
            let value = client.value(
                evaluated: answer.elements[0], proof: answer.proof, publicKey: server.publicKey)
            values.append(try #require(value))
            // An answer under another key than the one that was asked for is found out.
            #expect(
                client.value(evaluated: answer.elements[0], proof: answer.proof, publicKey: vectors.publicKey) == nil)
            // Another blind, the same value.
            let other = try ObliviousClient(input: run.inputs[0], blind: run.randomness)
            let again = try server.evaluate([other.blindedElement], randomness: run.blinds[0])
            #expect(other.blindedElement != client.blindedElement)
            #expect(other.value(evaluated: again.elements[0], proof: again.proof, publicKey: server.publicKey) == value)
        }
        #expect(Set(values).count == 4)
    }

    @Test func everyChangedBitIsRefused() throws {
        let run = vectors.runs[0]
        let client = try ObliviousClient(input: run.inputs[0], blind: run.blinds[0])
        func value(_ evaluated: Bytes, _ proof: Bytes) -> Bytes? {
            client.value(evaluated: evaluated, proof: proof, publicKey: vectors.publicKey)
        }
        for index in stride(from: 0, to: 96, by: 5) {
            var proof = run.proof
            proof[index] ^= 1
            #expect(value(run.evaluated[0], proof) == nil)
        }
        for index in stride(from: 0, to: 49, by: 6) {
            var element = run.evaluated[0]
            element[index] ^= 1
            #expect(value(element, run.proof) == nil)
        }
        #expect(value(run.evaluated[0], []) == nil && value([], run.proof) == nil)
    }

    @Test func whatIsNoElementIsRefused() throws {
        let run = vectors.runs[0]
        let bad: [Bytes] = [
            [], [0], Bytes(repeating: 0, count: 49), [2] + Bytes(repeating: 255, count: 48),
            [4] + run.blinded[0].dropFirst(), run.blinded[0] + [0], Array(run.blinded[0].dropLast()),
        ]
        for element in bad {
            #expect(!ObliviousFunction.isElement(element))
            #expect(throws: EllipticCurveError.notOnCurve) {
                try server.evaluate([element], randomness: run.randomness)
            }
        }
        let zero = Bytes(repeating: 0, count: 48)
        #expect(throws: EllipticCurveError.scalarOutOfRange) { try ObliviousClient(input: [1], blind: zero) }
        #expect(throws: EllipticCurveError.scalarOutOfRange) { try ObliviousServer(key: P384.Order.words.bigEndian) }
        #expect(throws: EllipticCurveError.scalarOutOfRange) { try server.evaluate(run.blinded, randomness: zero) }
        #expect(throws: EllipticCurveError.badRandomness) { try ObliviousFunction.randomScalar { _ in [] } }
        #expect(throws: EllipticCurveError.badRandomness) { try ObliviousFunction.randomScalar { _ in zero } }
    }

    /// RFC 9380 appendix J.3.1, P384_XMD:SHA-384_SSWU_RO_: the affine coordinates for the messages "" and "abc".
    @Test(arguments: [
        (
            "", "eb9fe1b4f4e14e7140803c1d99d0a93cd823d2b024040f9c067a8eca1f5a2eeac9ad604973527a356f3fa3aeff0e4d83",
            "0c21708cff382b7f4643c07b105c2eaec2cead93a917d825601e63c8f21f6abd9abc22c93c2bed6f235954b25048bb1a"
        ),
        (
            "abc", "e02fc1a5f44a7519419dd314e29863f30df55a514da2d655775a81d413003c4d4e7fd59af0826dfaad4200ac6f60abe1",
            "01f638d04d98677d65bef99aef1a12a70a4cbb9270ec55248c04530d8bc1f8f90f8a6a859a7c1f1ddccedf8f96d675f6"
        ),
    ]) func hashingToTheCurveGivesTheVectors(_ message: String, _ x: String, _ y: String) {
        let domain = Bytes(text: "QUUX-V01-CS02-with-P384_XMD:SHA-384_SSWU_RO_")
        let point = P384.hashToCurve(Bytes(text: message), domain: domain).affine
        #expect(Hex.encode(point.x.bigEndian) == Bytes(text: x))
        #expect(Hex.encode(point.y.bigEndian) == Bytes(text: y))
    }

    @Test func compressedPointsComeBack() {
        for message: UInt8 in 0..<8 {
            let point = P384.hashToCurve([message], domain: [1]).affine
            let read = P384.point(compressed: point.compressed)
            #expect(read?.x == point.x && read?.y == point.y)
        }
    }
}

@Suite struct KnownMultipleTests {
    private let blind = Bytes(repeating: 3, count: 48)
    private let scalar = Bytes(repeating: 5, count: 48)
    private let random = Bytes(repeating: 7, count: 48)

    private func proof(
        _ input: Bytes, base: Bytes, message: Bytes
    ) throws -> (element: Bytes, base: Bytes, proof: Bytes) {
        let element = try ObliviousFunction.element(of: input, times: blind)
        let base = try ObliviousFunction.element(of: base, times: scalar)
        let proof = try KnownMultiple.prove(
            element, base: base, blind: blind, scalar: scalar, message: message, randomness: random)
        return (element, base, proof)
    }

    @Test func theSameInputIsProved() throws {
        let made = try proof([1], base: [1], message: [9])
        #expect(KnownMultiple.isValid(made.proof, made.element, base: made.base, message: [9]))
        #expect(!KnownMultiple.isValid(made.proof, made.element, base: made.base, message: [8]))
        for index in stride(from: 0, to: 96, by: 7) {
            var changed = made.proof
            changed[index] ^= 1
            #expect(!KnownMultiple.isValid(changed, made.element, base: made.base, message: [9]))
        }
    }

    /// Who knows both numbers, but has another input, proves nothing.
    @Test func anotherInputIsNotProved() throws {
        let made = try proof([2], base: [1], message: [9])
        #expect(!KnownMultiple.isValid(made.proof, made.element, base: made.base, message: [9]))
        #expect(!KnownMultiple.isValid([], made.element, base: made.base, message: [9]))
    }
}
