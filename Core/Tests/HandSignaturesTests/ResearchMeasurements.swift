import Testing

@testable import HandSignatures

/// What the defences are worth with real hands: minutes with the optimiser, hours without it. So it runs when it is asked for:
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
        "movements rebuilt from pictures are accepted no more often than forgeries of people who practised",
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
                for speed in PictureForger.Speed.allCases {
                    let step = tool == .touch ? 16.0 : 10
                    count("version 0.3, \(speed)", try old.movement(speed, step: step, tool: tool))
                    for pace in [0.5, 1, 1.6] {
                        let way = try now.movement(speed, step: 16 / pace, pace: pace, tool: tool)
                        count("now, \(speed), pace \(pace)", way)
                        let known = try now.movement(speed, step: 16 / pace, pace: pace, tool: tool, order: order)
                        count("now, \(speed), pace \(pace), order known", known)
                    }
                }
            }
        }
        for (name, (accepted, all)) in counts.sorted(by: { $0.key < $1.key }) {
            print("\(tool) \(name): \(accepted) of \(all) accepted")
        }
        let practised = try #require(counts["practised"])
        for (name, count) in counts where name.hasPrefix("now") {
            #expect(count.accepted * practised.all <= practised.accepted * count.all, "\(name)")
        }
    }

    @Test("no genuine signature is taken for a recording of another one of the same hand, but one that is")
    func replays() throws {
        var (pairs, found) = (0, 0)
        for set in Self.sets {
            for user in try Self.users(set) {
                let traces = try user.genuine.map { try MovementTrace($0) }
                for one in traces.indices {
                    for other in 0..<one {
                        pairs += 1
                        if traces[one].isReplay(of: traces[other]) { found += 1 }
                    }
                }
            }
        }
        print("\(pairs) pairs, \(found) taken for replays")
        // SUSIG Visual has one recording twice: user 113, genuine 9 and 10.
        #expect(found == 1)
    }
}
