import CPeers
import EllipticCurves
import Encodings
import Foundation

/// The peers of one curve, and how many operations a second each has done in each round.
struct CurveRounds {
    private let curve: EllipticCurve
    private let peers: [(name: String, peer: any CurvePeer)]
    private let signature: Bytes
    /// For each operation and each peer a number for each round.
    private var rates: [[[Double]]]

    private enum Operation: String, CaseIterable {
        case agree, sign, verify
    }

    /// Makes keys, and compares what the peers answer.
    init(_ curve: EllipticCurve) throws {
        let task = try CurveTask(curve)
        let ours = try OurPeer(task)
        var peers: [(name: String, peer: any CurvePeer)] = [("Countersign", ours)]
        for (name, library) in [("OpenSSL", peer_openssl), ("BoringSSL", peer_boringssl)] {
            if let peer = LibraryPeer(library, task) { peers.append((name, peer)) }
        }
        peers.append(("BigInt", BigIntPeer(task)))
        let secret = try ours.agree()
        for (name, peer) in peers {
            let made = try peer.sign()
            guard try peer.agree() == secret, ours.isValid(made), try peer.isValid(ours.sign()) else {
                throw PeerError("\(name) and Countersign have different answers on \(curve.name)")
            }
            var other = made
            other[other.count - 1] ^= 1
            guard !ours.isValid(other), try !peer.isValid(other) else {
                throw PeerError("a changed signature passes on \(curve.name)")
            }
        }
        (self.curve, self.peers, signature) = (curve, peers, ours.sign())
        rates = Operation.allCases.map { _ in peers.map { _ in [] } }
    }

    /// Has every peer do everything for as long; round 0 is not kept.
    mutating func measure(seconds: Double, round: Int) throws {
        for (place, operation) in Operation.allCases.enumerated() {
            for turn in peers.indices {
                // Nobody is always the first.
                let index = (turn + round) % peers.count
                let rate = try perSecond(peers[index].peer, operation, seconds)
                if round > 0 { rates[place][index].append(rate) }
            }
        }
    }

    private func perSecond(_ peer: any CurvePeer, _ operation: Operation, _ seconds: Double) throws -> Double {
        let start = Self.processorSeconds
        var (end, count, batch) = (start, 0, 1)
        while end - start < seconds {
            for _ in 0..<batch {
                switch operation {
                case .agree: _ = try peer.agree()
                case .sign: _ = try peer.sign()
                case .verify: guard try peer.isValid(signature) else { throw PeerError("a signature is refused") }
                }
            }
            count += batch
            end = Self.processorSeconds
            // Reading the clock takes time too: some twenty times are enough.
            if end - start < seconds / 20 { batch *= 2 }
        }
        return Double(count) / (end - start)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var rows: [CurvesFigures.Row] {
        Operation.allCases.enumerated().flatMap { place, operation in
            peers.indices.map { index in
                CurvesFigures.Row(
                    curve: "\(curve.name)", operation: operation.rawValue, peer: peers[index].name,
                    perSecond: CurvesFigures.Spread(rates[place][index]),
                    ours: CurvesFigures.Spread(zip(rates[place][0], rates[place][index]).map { $0 / $1 }))
            }
        }
    }
}
