import Encodings
import Fuzzing
import Testing

@testable import HandSignatures

/// A picture is not the movement.
@Suite("Forging from the picture")
struct PictureForgeryTests {
    @Test(
        "a movement rebuilt from a picture with a point for each sample is accepted; from the picture as it is drawn none is",
        arguments: [Capture.Tool.pen, .touch])
    func rebuilt(_ tool: Capture.Tool) throws {
        let model = try ShippedModel.read(tool)
        var (before, after) = (0, 0)
        for seed in 1...3 as ClosedRange<UInt64> {
            let hand = SyntheticHand(seed: seed)
            let desk = try Desk(try (0..<5).map { try hand.signature($0, tool: tool) }, model)
            let capture = try hand.signature(30, tool: tool)
            let step = tool == .pen ? 7.5 : 16
            let old = PictureForger(OldInk.svg(capture))
            if try desk.difference(old.movement(.pointByPoint, step: step, tool: tool)) <= 0 { before += 1 }
            let forger = PictureForger(Ink.svg(capture))
            for speed in PictureForger.Speed.allCases {
                let movement = try forger.movement(speed, step: step, tool: tool)
                if try desk.difference(movement) <= 0 { after += 1 }
            }
        }
        #expect(before >= 2, "the attack is one: \(before) of 3")
        #expect(after == 0, "\(after) of 9")
    }

    @Test("neither the number of points nor their order tells how long a stroke took, or which way it went")
    func timeless() throws {
        let line = (0..<60).map { Capture.Sample(time: Int64($0) * 10_000, x: Int32($0) * 100, y: Int32($0 % 7) * 300) }
        func picture(_ samples: [Capture.Sample]) throws -> Bytes {
            Ink.svg(try Capture(tool: .touch, pressureLevels: 0, samples: samples))
        }
        let drawn = try picture(line)
        // Three times as many samples along the same line, as a hand makes that is slower.
        var slow: [Capture.Sample] = []
        for (from, to) in zip(line, line.dropFirst()) {
            for part in 0..<3 as Range<Int32> {
                slow.append(
                    Capture.Sample(
                        time: Int64(slow.count) * 10_000, x: from.x + (to.x - from.x) * part / 3,
                        y: from.y + (to.y - from.y) * part / 3))
            }
        }
        slow.append(line[59])
        slow[slow.count - 1].time = Int64(slow.count) * 10_000
        func points(_ svg: Bytes) -> Int { PictureForger(svg).strokes[0].count }
        #expect(abs(points(drawn) - points(try picture(slow))) <= 2 && points(drawn) < 2 * line.count)
        var backwards = Array(line.reversed())
        for index in backwards.indices { backwards[index].time = Int64(index) * 10_000 }
        #expect(try picture(backwards) == drawn)
        // Two strokes look the same in either order.
        func strokes(_ order: [Int]) throws -> Bytes {
            var samples: [Capture.Sample] = []
            for left in order {
                for index in 0..<20 {
                    samples.append(
                        Capture.Sample(
                            time: Int64(samples.count) * 10_000, x: Int32(left + 10 * index), y: Int32(index * index),
                            isPenUp: index == 19))
                }
            }
            return try picture(samples)
        }
        #expect(try strokes([0, 500]) == strokes([500, 0]))
    }

    @Test("what version 0.3 drew is redrawn as it is drawn now; what is drawn now stays; anything else is no picture")
    func redrawn() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let capture = try SyntheticHand(seed: seed).signature(1)
            let now = Ink.svg(capture)
            #expect(Ink.redrawn(OldInk.svg(capture)) == now)
            #expect(Ink.redrawn(now) == now)
        }
        let dots = try Capture(
            tool: .touch, pressureLevels: 0,
            samples: (0..<12).map { Capture.Sample(time: $0 * 20_000, x: Int32($0) * 90, y: 5, isPenUp: true) })
        #expect(Ink.redrawn(OldInk.svg(dots)) == Ink.svg(dots))
        let old = String(decoding: OldInk.svg(try SyntheticHand(seed: 1).signature(1)), as: UTF8.self)
        for other in [
            "", "<svg></svg>", old + " ", String(old.dropLast(6)),
            old.replacing("<polyline", with: "<script/><polyline"),
            old.replacing("points=\"", with: "points=\"9999,1 "), old.replacing(" points", with: " id=\"a\" points"),
        ] {
            #expect(Ink.redrawn(Bytes(text: other)) == nil, "\(other.prefix(80))")
        }
        // A line of version 0.3 beside a curve of this one is neither.
        let mixed = String(decoding: Ink.svg(try SyntheticHand(seed: 2).signature(1)), as: UTF8.self)
            .replacing("</svg>", with: "<polyline class=\"ink\" points=\"1,1 2,2\"/></svg>")
        #expect(Ink.redrawn(Bytes(text: mixed)) == nil)
    }
}
