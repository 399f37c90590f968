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
        let hands = 1...12 as ClosedRange<UInt64>
        var before = 0
        for seed in hands {
            let hand = SyntheticHand(seed: seed)
            let desk = try Desk(try (0..<5).map { try hand.signature($0, tool: tool) }, model)
            let capture = try hand.signature(30, tool: tool)
            // The time between two samples of this device.
            let step = tool == .pen ? 7.5 : 16
            let old = PictureForger(OldInk.svg(capture))
            if try desk.difference(old.movement(.pointByPoint, step: step, like: capture)) <= 0 { before += 1 }
            let forger = PictureForger(Ink.svg(capture))
            for speed in PictureForger.Speed.allCases {
                for order in [nil, OldInk.order(capture)] {
                    let movement = try forger.movement(speed, step: step, like: capture, order: order)
                    #expect(try desk.difference(movement) > 0, "\(seed) \(speed)")
                }
            }
        }
        #expect(before * 3 >= hands.count * 2, "the attack is one: \(before) of \(hands.count)")
    }

    @Test("neither the number of points nor their order tells how long a stroke took, or which way it went")
    func timeless() throws {
        // Five arches, each a parabola and the next one upside down: the same smooth line at any moment.
        func place(_ moment: Double) -> (Int32, Int32) {
            let turn = 5 * moment
            let arch = min(turn.rounded(.down), 4)
            let height = 4 * (turn - arch) * (1 - (turn - arch))
            let isUp = arch.truncatingRemainder(dividingBy: 2) == 0
            return (Int32(60_000 * moment), Int32(isUp ? 9_000 * height : -9_000 * height))
        }
        func samples(_ moments: [Double]) -> [Capture.Sample] {
            moments.enumerated().map { index, moment in
                let (x, y) = place(moment)
                return Capture.Sample(time: Int64(index) * 10_000, x: x, y: y)
            }
        }
        func picture(_ samples: [Capture.Sample]) throws -> Bytes {
            Ink.svg(try Capture(tool: .touch, pressureLevels: 0, samples: samples))
        }
        func points(_ svg: Bytes) -> Int { PictureForger(svg).strokes[0].count }
        let line = samples((0..<60).map { Double($0) / 59 })
        let drawn = try picture(line)
        // Slower, three and nine times; and slower towards the end, as hands are now and then.
        let slower: [Double] = (0..<180).map { Double($0) / 179 }
        let slowest: [Double] = (0..<540).map { Double($0) / 539 }
        let braking: [Double] = slower.map { $0 * (2 - $0) }
        for moments in [slower, slowest, braking] {
            let slow = try picture(samples(moments))
            // Each step is two points: where the line bends, and the middle to the next one.
            #expect(abs(points(drawn) - points(slow)) <= 2, "\(points(drawn)), \(points(slow))")
        }
        // Their distance is that of every picture, not that of any samples.
        let seen = OldInk.svg(try Capture(tool: .touch, pressureLevels: 0, samples: samples(slowest)))
        let length = try #require(Polyline.lengths(PictureForger(seen).strokes[0]).last)
        #expect(abs(Double(points(drawn)) / 2 - length * 10 / InkStroke.step) < 5, "\(points(drawn)), \(length)")
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
