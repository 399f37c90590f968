import Encodings
import Foundation
import Wallet

/// The helpers that stay on this machine, seen from outside.
struct PamStays {
    let folder: PamFolder

    private var sockets: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.runFolder)) ?? []
        return names.filter(Self.isToken).sorted().map { folder.runFolder + "/" + $0 }
    }

    /// Whether a name is that of a socket.
    static func isToken(_ name: String) -> Bool {
        name.utf8.count == 16 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Has all look whether their wallets are still paired.
    func recheck() {
        for socket in sockets { _ = PamSocket.ask(socket, [(PamRequest.Verb.recheck.rawValue, "")]) }
    }

    /// Whether a user has a session that is locked until they sign in again.
    func hasLost(_ user: Bytes, _ session: String?) -> Bool { handOver(user, session, "ask") != nil }

    /// Takes such a session over; its old helper ends.
    ///
    /// - Returns: where the new helper has to listen, and what the old one knew.
    func takeOver(_ user: Bytes, _ session: String?) -> (socket: String, known: PamRequest)? {
        handOver(user, session, "")
    }

    private func handOver(_ user: Bytes, _ session: String?, _ word: String) -> (String, PamRequest)? {
        var frames: [(UInt8, String)] = [(0x75, user.text)]
        if let session { frames.append((0x78, session)) }
        frames.append((PamRequest.Verb.handOver.rawValue, word))
        for socket in sockets {
            guard let answer = PamSocket.ask(socket, frames), answer.verb == .result, answer.word.equals("y") else {
                continue
            }
            return (socket, answer)
        }
        return nil
    }
}
