/// The error rates of a way of comparing on a set of users, by the protocol of `docs/hand-signatures.md`.
public struct Evaluation: Sendable {
    /// Which genuine signatures are the references.
    public enum References: Sendable {
        /// The first five.
        case first
        /// Five of all, ten times; rates are means over the ten.
        case random
    }

    /// The scores of one user's probes, for each of their enrolments.
    public struct UserScores: Sendable {
        public fileprivate(set) var genuine, skilled: [[Double]]
        /// With the first five references only.
        public fileprivate(set) var random: [Double]
    }

    /// In the order of the set.
    public let users: [UserScores]

    /// Scores every probe of every user.
    ///
    /// - Parameters:
    ///   - users: at least one; each with forged signatures.
    ///   - score: of a probe's inputs; for a user that it has not learnt from.
    public init<Signature>(
        _ users: [ComparedUser<Signature>], _ references: References,
        score: (_ user: Int, _ inputs: [Double]) -> Double
    ) {
        self.users = users.indices.map { place in
            let user = users[place]
            var scores = UserScores(genuine: [], skilled: [], random: [])
            let draws = references == .first ? [ReferenceDraws.first] : ReferenceDraws.random(of: user.count)
            for draw in draws {
                var (genuine, skilled): ([Double], [Double]) = ([], [])
                for probe in user.probes(draw, isWithOthers: references == .first) {
                    let score = score(place, probe.inputs)
                    switch probe.kind {
                    case .genuine: genuine.append(score)
                    case .skilled: skilled.append(score)
                    case .random: scores.random.append(score)
                    }
                }
                scores.genuine.append(genuine)
                scores.skilled.append(skilled)
            }
            return scores
        }
    }

    /// The rates of all users together, for each enrolment.
    public var skilled: [ErrorRates] { skilled(of: Array(users.indices)) }

    private func skilled(of chosen: [Int]) -> [ErrorRates] {
        users[0].genuine.indices.map { draw in
            var (genuine, forged): ([Double], [Double]) = ([], [])
            for user in chosen {
                genuine += users[user].genuine[draw]
                forged += users[user].skilled[draw]
            }
            return ErrorRates(genuine: genuine, forged: forged)
        }
    }

    /// The same against other users' own signatures; `nil` where there are none.
    public var random: ErrorRates? {
        var (genuine, forged): ([Double], [Double]) = ([], [])
        for user in users {
            genuine += user.genuine[0]
            forged += user.random
        }
        return forged.isEmpty ? nil : ErrorRates(genuine: genuine, forged: forged)
    }

    /// The equal error rate with one threshold for all users: the headline.
    public var commonEqual: Double { Self.mean(skilled.map { $0.equal.rate }) }

    /// How often thresholds err that were fixed beforehand.
    public struct FixedRates: Sendable {
        /// The share of genuine signatures that are refused, and of forged ones that are accepted.
        public let falseRejection, falseAcceptance: Double
        /// The share of other users' own signatures that are accepted; `nil` where there are none.
        public let falseAcceptanceOfOthers: Double?
    }

    /// The error rates with a threshold for each user that does not come from the user's own scores: means over the
    /// enrolments.
    public func rates(at threshold: (_ user: Int) -> Double) -> FixedRates {
        func share(_ scores: (UserScores) -> [[Double]], _ isCounted: (Double, Double) -> Bool) -> Double? {
            var (counted, all) = (0, 0)
            for user in users.indices {
                let threshold = threshold(user)
                for draw in scores(users[user]) {
                    counted += draw.count { isCounted($0, threshold) }
                    all += draw.count
                }
            }
            return all == 0 ? nil : Double(counted) / Double(all)
        }
        return FixedRates(
            falseRejection: share({ $0.genuine }, { $0 > $1 }) ?? 0,
            falseAcceptance: share({ $0.skilled }, { $0 <= $1 }) ?? 0,
            falseAcceptanceOfOthers: share({ [$0.random] }, { $0 <= $1 }))
    }

    /// The threshold of the equal error rate of all users but some, with their first enrolments.
    ///
    /// - Parameter isLeftOut: not of all users.
    public func equalThreshold(without isLeftOut: (_ user: Int) -> Bool) -> Double {
        skilled(of: users.indices.filter { !isLeftOut($0) })[0].equal.threshold
    }

    /// How many probes were scored, those of other users aside.
    public var probes: Int {
        var count = 0
        for user in users {
            for draw in user.genuine.indices { count += user.genuine[draw].count + user.skilled[draw].count }
        }
        return count
    }

    /// The mean of the users' own equal error rates, with thresholds that nobody can know beforehand.
    public var userEqual: Double {
        Self.mean(
            users.map { user in
                Self.mean(
                    user.genuine.indices.map {
                        ErrorRates(genuine: user.genuine[$0], forged: user.skilled[$0]).equal.rate
                    })
            })
    }

    /// The range that holds 90 of 100 common equal error rates when users are drawn again, with repetition.
    public func interval(repetitions: Int = 200) -> (low: Double, high: Double) {
        var random: UInt64 = 2_025
        var rates: [Double] = []
        for _ in 0..<repetitions {
            let chosen = users.indices.map { _ in
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(random >> 33) % users.count
            }
            rates.append(Self.mean(skilled(of: chosen).map { $0.equal.rate }))
        }
        rates.sort()
        return (rates[repetitions / 20], rates[repetitions - 1 - repetitions / 20])
    }

    private static func mean(_ values: [Double]) -> Double {
        var sum = 0.0
        for value in values { sum += value }
        return sum / Double(values.count)
    }
}
