import Encodings
import Fuzzing
import Testing

@testable import HandSignatures

/// Recordings that are played again.
@Suite("Replays")
struct ReplayTests {
    @Test("a recording that is bent in time, turned, stretched, slanted, or all at once, is recognised")
    func changed() throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let capture = try SyntheticHand(seed: seed).signature(2, tool: seed % 2 == 0 ? .pen : .touch)
            let trace = try MovementTrace(capture)
            for (number, way) in RecordingForger.ways.enumerated() {
                let played = try way.played(capture, seed: seed + UInt64(number))
                #expect(try MovementTrace(played).isReplay(of: trace), "\(seed) \(way)")
            }
        }
    }

    @Test("a smooth bend of half a hundredth of the time is recognised, 25 times of 25")
    func bent() throws {
        let capture = try SyntheticHand(seed: 11).signature(2)
        let trace = try MovementTrace(capture)
        for seed in 1...25 as ClosedRange<UInt64> {
            let played = try RecordingForger(bend: 0.003 + 0.002 * Double(seed) / 25).played(capture, seed: seed)
            #expect(try MovementTrace(played).isReplay(of: trace), "\(seed)")
        }
    }

    @Test("a template knows its own references, turned")
    func ownReference() throws {
        let hand = SyntheticHand(seed: 3)
        let references = try (0..<5).map { try hand.signature($0) }
        var template = try SignatureTemplate(references, times: [1, 1, 1, 1, 1])
        for reference in references {
            #expect(try template.remember(try RecordingForger(turn: 4).played(reference, seed: 5)))
        }
    }

    @Test("what a hand writes once more is no replay: of 40 signatures of each of three hands none is")
    func genuine() throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let hand = SyntheticHand(seed: seed)
            // The made-up hand keeps time better than people do: its nearest pair is 0.036 apart at equal times, of 29,000
            // pairs of the research sets 0.050. So its times are bent; the line that it takes stays as near as it is.
            let traces = try (0..<40).map { number in
                try MovementTrace(RecordingForger(bend: 0.02).played(try hand.signature(number), seed: number))
            }
            for one in traces.indices {
                for other in 0..<one {
                    #expect(!traces[one].isReplay(of: traces[other]), "\(seed): \(one), \(other)")
                }
            }
        }
    }

    @Test("traces of version 0.3 are read and compared, turned and stretched too, and kept until they are forgotten")
    func version03() throws {
        let hand = SyntheticHand(seed: 4)
        let seen = try hand.signature(20)
        // Points at equal times were all that it kept.
        let old = try #require(MovementTrace(values: MovementTrace(seen).values.prefix(128).map { Int64($0) }))
        var template = try SignatureTemplate((0..<5).map { try hand.signature($0) }, times: [7, 7, 7, 7, 7])
        template.traces.append(old)
        let read = try SignatureTemplate(file: template.file())
        #expect(read == template && read.traces.contains(old))
        for way in [RecordingForger(), RecordingForger(turn: 4), RecordingForger(duration: 1.3, width: 1.2)] {
            var again = read
            let played = try way.played(seen, seed: 3)
            #expect(try MovementTrace(played).isReplay(of: old), "\(way)")
            #expect(try again.remember(played), "\(way)")
        }
        #expect(try !MovementTrace(hand.signature(21)).isReplay(of: old))
    }
}
