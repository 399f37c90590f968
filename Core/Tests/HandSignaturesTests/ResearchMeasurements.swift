import Testing

@testable import HandSignatures

/// Measures the defences with real hands.
///
/// It takes minutes with the optimiser, hours without it. So it runs when it is asked for:
///
///     MEASURE_SIGNATURES=1 swift test --package-path Core -c release -Xswiftc -enable-testing \
///         --disable-xctest --filter ResearchMeasurements
@Suite("Measured on the research sets", .serialized, .enabled(if: ResearchData.isAsked && ResearchData.isHere))
struct ResearchMeasurements {
    private static let sets = ["svc2004-task2-users01-20", "svc2004-task2-users21-40", "susig-visual", "susig-blind"]

    private typealias User = (genuine: [Capture], forged: [Capture])

    private static func users(_ set: String) throws -> [User] {
        var users: [[UInt8]: User] = [:]
        for signature in try ResearchData.signatures(set) {
            if signature.isForgery {
                users[signature.user, default: ([], [])].forged.append(signature.capture)
            } else {
                users[signature.user, default: ([], [])].genuine.append(signature.capture)
            }
        }
        return Array(users.values)
    }

    @Test(
        "movements rebuilt from pictures are accepted at most once in twenty times, from those of version 0.3 ten times as often",
        arguments: [Capture.Tool.pen, .touch])
    func pictures(_ tool: Capture.Tool) throws {
        let model = try ShippedModel.read(tool)
        func converted(_ capture: Capture) throws -> Capture { tool == .touch ? try capture.asTouch() : capture }
        var counts: [String: (accepted: Int, all: Int)] = [:]
        for set in Self.sets {
            for user in try Self.users(set) {
                let desk = try Desk(try user.genuine.prefix(5).map(converted), model)
                func count(_ name: String, _ capture: Capture) {
                    guard let difference = try? desk.difference(capture) else { return }
                    counts[name, default: (0, 0)].all += 1
                    if difference <= 0 { counts[name, default: (0, 0)].accepted += 1 }
                }
                for forged in user.forged { count("practised", try converted(forged)) }
                let seen = try converted(user.genuine[5])
                let (old, now) = (PictureForger(OldInk.svg(seen)), PictureForger(Ink.svg(seen)))
                let order = OldInk.order(seen)
                // Evenly pressed: of real hands nearer than a swell of each stroke.
                for speed in PictureForger.Speed.allCases {
                    let step = tool == .touch ? 16.0 : 10
                    count("version 0.3, \(speed)", try old.movement(speed, step: step, like: seen, swell: 0))
                    for pace in [0.5, 1, 1.6] {
                        let way = try now.movement(speed, step: 16 / pace, pace: pace, like: seen, swell: 0)
                        count("now, \(speed), pace \(pace)", way)
                        let known = try now.movement(
                            speed, step: 16 / pace, pace: pace, like: seen, swell: 0, order: order)
                        count("now, \(speed), pace \(pace), order known", known)
                    }
                }
            }
        }
        for (name, (accepted, all)) in counts.sorted(by: { $0.key < $1.key }) {
            print("\(tool) \(name): \(accepted) of \(all) accepted")
        }
        let old = try #require(counts["version 0.3, \(PictureForger.Speed.pointByPoint)"])
        for (name, count) in counts where name.hasPrefix("now") {
            #expect(count.accepted * 20 <= count.all && count.accepted * 10 <= old.accepted, "\(name)")
        }
    }

    @Test("no genuine signature is taken for a recording of another one of the same hand, but one that is")
    func replays() throws {
        var found = 0
        for set in Self.sets {
            var (timed, even): ([Double], [Double]) = ([], [])
            for user in try Self.users(set) {
                let traces = try user.genuine.map { try MovementTrace($0) }
                for one in traces.indices {
                    for other in 0..<one {
                        timed.append(traces[one].timedDifference(from: traces[other]))
                        if let near = traces[one].evenDistance(from: traces[other], limit: 0.1) { even.append(near) }
                        if traces[one].isReplay(of: traces[other]) { found += 1 }
                    }
                }
            }
            print("\(set): \(timed.count) pairs, the nearest \(Self.least(even)), at equal times \(Self.least(timed))")
        }
        print("\(found) taken for replays")
        // SUSIG Visual has one recording twice: user 113, genuine 9 and 10.
        #expect(found == 1)
    }

    @Test(
        "recordings that are played again are recognised, 99 of 100; three of four that tremble and are turned",
        arguments: RecordingForger.ways)
    func played(_ way: RecordingForger) throws {
        var (found, all, farthest, timed) = (0, 0, 0.0, 0.0)
        for set in Self.sets {
            for user in try Self.users(set) {
                for capture in user.genuine.prefix(4) {
                    let trace = try MovementTrace(capture)
                    let again = try MovementTrace(try way.played(capture, seed: UInt64(all)))
                    all += 1
                    farthest = max(farthest, again.evenDistance(from: trace, limit: 1) ?? .infinity)
                    timed = max(timed, again.timedDifference(from: trace))
                    if again.isReplay(of: trace) { found += 1 }
                }
            }
        }
        print("\(way): \(found) of \(all) recognised, the farthest \(farthest), at equal times \(timed)")
        // A recording that trembles and is also turned may be as far from its source as two signatures of one hand.
        #expect(found * 100 >= all * (way.tremble > 0 && way.turn > 0 ? 75 : 99))
    }

    private static func least(_ distances: [Double]) -> [Double] { Array(distances.sorted().prefix(4)) }
}
