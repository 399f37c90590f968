import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Glibc
import Pico
import Wallet

/// `countersign admin pam authenticate`: what the PAM module starts; its standard input and output are one socket.
struct PamAuthenticateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticate", abstract: "Sign a user in for the PAM module, which starts this.",
        shouldDisplay: false)

    /// How long a rendezvous point may take to answer before a code is shown, in milliseconds.
    private static let patience: Int64 = 5_000

    @OptionGroup var place: PamOptions

    func run() async throws {
        _ = signal(SIGPIPE, SIG_IGN)
        let line = PamLine(descriptor: STDIN_FILENO)
        guard let request = PamRequest(next: line.take), request.verb == .authenticate, !request.user.isEmpty else {
            throw CommandError("this is for the PAM module, which says what it wants on standard input")
        }
        let work = Task { try await signIn(request, line) }
        // When the module is gone, nobody waits for the answer any more.
        Thread.detachNewThread {
            _ = line.take(1)
            work.cancel()
        }
        let admitted: Admitted?
        do {
            admitted = try await work.value
        } catch {
            let user = request.user.shown
            line.say(.log, "user \(user) was not signed in with a wallet: \(Self.code(error))")
            line.say(.error, PamVerdict.words(error))
            line.say(.result, PamVerdict(error).rawValue)
            return
        }
        guard let admitted else {
            line.say(.result, PamVerdict.skipped.rawValue)
            return
        }
        line.say(.log, "user \(request.user.shown) signed in with the wallet \(admitted.commitment.fingerprint.text)")
        guard let session = admitted.session else {
            line.say(.result, PamVerdict.accepted.rawValue)
            return
        }
        try await stay(session, admitted, request, line)
    }

    /// A user whose wallet was accepted.
    private struct Admitted {
        let commitment: PicoCommitment
        let session: PicoSession?
        let channel: RendezvousClient
        let configuration: PamConfiguration
    }

    /// Shows the code and waits for the wallet; `nil` if the user is passed over.
    private func signIn(_ request: PamRequest, _ line: PamLine) async throws -> Admitted? {
        let folder = place.folder
        let configuration = try folder.configuration()
        // A users file with a mistake is one for everybody, before anything is shown.
        let isPaired = try folder.users.entries().contains { $0.name == request.user }
        if configuration.skipsUnpaired, !isPaired { return nil }
        let stays =
            configuration.continuous && !request.modes.contains(.once)
            && (!request.modes.contains(.resume) || PamStays(folder: folder).hasLost(request.user, request.session))
        let service = try folder.service(configuration, continuous: stays)
        let address = try PicoService.address(configuration.channel)
        try await check(configuration)
        line.say(.code, PamScreen(configuration: configuration, request: request).code(service.signInCode(address)))
        let channel = RendezvousClient(address)
        let admission = try await service.signIn(as: request.user, over: channel).admission
        return Admitted(
            commitment: admission.claim.commitment, session: admission.session, channel: channel,
            configuration: configuration)
    }

    /// A rendezvous point that is down is found before anybody is shown a code.
    private func check(_ configuration: PamConfiguration) async throws {
        let elsewhere = RendezvousClient(try PicoService.address(configuration.channel))
        do throws(PicoRunError) {
            try await elsewhere.check(before: PicoClock.system.now() + Self.patience)
        } catch {
            throw error == .cancelled ? error : PicoRunError.unreachable(elsewhere.address.host.text)
        }
    }

    private func stay(
        _ session: PicoSession, _ admitted: Admitted, _ request: PamRequest, _ line: PamLine
    ) async throws {
        let folder = place.folder
        var path = folder.runFolder + "/" + RandomBytes.make(8).hex
        var opened: PamStay.Opened?
        if request.modes.contains(.resume) {
            guard let (socket, known) = PamStays(folder: folder).takeOver(request.user, request.session),
                let owner = known.process.flatMap(PamProcess.init)
            else {
                // The lost session was closed while the wallet answered: nothing is left to stay for.
                await admitted.channel.close()
                line.say(.result, PamVerdict.accepted.rawValue)
                return
            }
            path = socket
            opened = PamStay.Opened(
                place: PamHook.Place(
                    user: request.user.text, service: known.service?.text ?? "", terminal: known.terminal?.text ?? "",
                    session: known.session ?? ""), owner: owner)
        }
        let socket: PamSocket
        do throws(CommandError) {
            try folder.makeRunFolder()
            socket = try PamSocket(path)
        } catch {
            line.say(.log, error.words)
            await admitted.channel.close()
            line.say(.result, PamVerdict.unavailable.rawValue)
            return
        }
        // The module's limit was for signing in. From here on the session is the limit.
        alarm(0)
        let token = opened == nil ? URL(fileURLWithPath: path).lastPathComponent : ""
        let stay = PamStay(
            user: request.user, commitment: admitted.commitment, folder: folder,
            configuration: admitted.configuration, opened: opened)
        guard line.say(.result, PamVerdict.accepted.rawValue + token) else {
            socket.remove()
            await admitted.channel.close()
            return
        }
        await stay.run(session, over: admitted.channel, at: socket)
    }

    /// A name of an error for the log, without anything that somebody typed.
    private static func code(_ error: any Error) -> String {
        switch error {
        case let error as PicoRunError: error.code
        case let error as CommandError: error.words
        default: "an error"
        }
    }
}
