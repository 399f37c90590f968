import Approvals
import CryptoProvider
import Encodings
package import Interface

/// A service's offer that this wallet has taken: now both screens are compared.
package struct TakenOffer: Sendable {
    /// The id of the offer.
    package let id: String
    /// The service's id, most often its domain.
    package let domain: String
    /// The service's name.
    package let service: String
    /// Six digits, which the service's page must show too.
    package let code: String
    /// When it runs out, in seconds since 1970.
    package let expires: Int64
}

/// How somebody takes an offer who has lost every device that could vouch.
package enum ApprovalWayBack: Sendable {
    /// By a recovery code.
    case code(String)
    /// They have waited, and no device of theirs said no.
    case wait

    fileprivate var code: String? {
        guard case .code(let code) = self else { return nil }
        return code
    }
}

/// Keys for services, one for each.
extension WalletClient {
    /// Takes a service's offer with a new key, made for this service alone.
    ///
    /// The key is in the wallet's file before the server learns of it. If the answer is lost, take the offer again.
    /// Whether there is still time is for the server to say: this machine's clock may be wrong.
    /// - Parameters:
    ///   - link: `authreq:2:…`.
    ///   - name: what the device is called, at most 100 bytes.
    ///   - voucher: a wallet that is enrolled for the same user already, when another one is; this one, if it is.
    ///   - recovery: how, when all of them are lost.
    /// - Throws: `badApproval` for what is no offer of this server, or one that has expired there.
    package func takeOffer(
        _ link: String, name: String, voucher: WalletClient? = nil, recovery: ApprovalWayBack? = nil
    ) async throws -> TakenOffer {
        let offer = try Self.offer(link)
        let id = offer.id.hex
        guard offer.replyURL == Bytes(text: "\(wallet.header.publicURL)/api/approvals/enrolments/\(id)") else {
            throw WalletError.badApproval("the offer is of another server than this wallet's")
        }
        // A message that was made before the other wallet was named lacks its word.
        let known = wallet.secrets.approvals?.first {
            $0.offer == id && (recovery == nil || !$0.hasVoucher) && (voucher == nil || $0.hasVoucher)
        }
        let own: WalletSecrets.ApprovalKey
        if let known {
            own = known
        } else {
            own = try await newKey(for: offer, name: name, voucher: voucher, isRecovering: recovery != nil)
            try wallet.update { _, secrets in
                secrets.approvals = (secrets.approvals ?? []).filter { $0.offer != id } + [own]
            }
        }
        guard let message = own.message.fromBase64URL, let enrolment = try? DeviceEnrolment.read(message) else {
            throw WalletError.tampered
        }
        let taken: MemberEnrolment
        do {
            taken = try await session().takeOffer(
                id, TakenApprovalOffer(message: own.message, recoveryCode: recovery?.code))
        } catch let error as ProblemError where error.problem.error == "expired" {
            // No service will ever confirm this key.
            try wallet.update { _, secrets in
                secrets.approvals?.removeAll { $0.offer == id && !$0.isEnrolled }
            }
            throw WalletError.badApproval("the offer has expired; begin again at the service")
        }
        return TakenOffer(
            id: id, domain: own.domain, service: own.serviceName, code: enrolment.code(offer, suite: suite).text,
            expires: taken.expires)
    }

    /// Waits until the service has confirmed the device, and checks its word.
    ///
    /// - Throws: `badApproval` when the service ended it or its word is about something else.
    package func waitForConfirmation(_ taken: TakenOffer) async throws -> ApprovalDevice {
        let client = try session()
        for await _ in Self.occasions(client.events()) {
            let enrolment = try await client.takenOffer(taken.id)
            switch enrolment.state {
            case .open, .taken: continue
            case .ended: throw WalletError.badApproval("the service has ended the enrolment")
            case .expired: throw WalletError.badApproval("nobody confirmed it in time; begin again at the service")
            case .completed:
                guard let device = enrolment.device else { throw WalletError.unexpectedAnswer("no device") }
                try accept(device, taken.id)
                return device
            }
        }
        throw CancellationError()
    }

    /// The devices of the account that answer services.
    package func approvalDevices() async throws -> [ApprovalDevice] { try await session().approvalDevices() }

    /// Removes a device for ever: its answers count no more.
    package func removeApprovalDevice(_ device: ApprovalDevice) async throws -> LoggedAct {
        let receipt = try await session().removeApprovalDevice(device.id).receipt
        try wallet.update { _, secrets in
            // A key that no longer counts must not vouch for the next one.
            secrets.approvals?.removeAll { $0.publicKey == device.publicKey }
        }
        return try await check(receipt, "approval_device.removed", [("public_key", .text(device.publicKey))])
    }

    private static func offer(_ link: String) throws -> ApprovalOffer {
        do throws(ApprovalError) {
            let message = try ApprovalLink.parse(Bytes(text: link))
            // At 0 no offer has expired.
            return try ApprovalOffer.parse(message, at: 0, suite: SwiftCryptoSuite())
        } catch {
            throw WalletError.badApproval("that is not a service's offer")
        }
    }

    private func newKey(
        for offer: ApprovalOffer, name: String, voucher: WalletClient?, isRecovering: Bool
    ) async throws -> WalletSecrets.ApprovalKey {
        let (domain, label) = (offer.service.id.text, offer.account.base64URL)
        let older: SigningKey? =
            if isRecovering { nil } else if let voucher { try await voucher.approvalKey(domain, label) } else {
                try approvalKey(domain, label)
            }
        if voucher != nil, older == nil {
            throw WalletError.badApproval("the other wallet is not enrolled there for the same user")
        }
        let key = try SigningKey()
        let message: Bytes
        do throws(ApprovalError) {
            let enrolment = try DeviceEnrolment(
                offer: offer, name: Bytes(text: name), key: key.publicKey, voucher: older?.publicKey)
            let bytes = enrolment.bytesToSign(offer)
            guard let signature = try? key.sign(bytes) else { throw .unsupportedKey }
            message = enrolment.encoded(signature: signature, handover: older.flatMap { try? $0.sign(bytes) })
        } catch {
            throw WalletError.invalid("a device's name has 1 to 100 bytes")
        }
        return WalletSecrets.ApprovalKey(
            offer: offer.id.hex, domain: domain, serviceName: offer.service.name.text,
            serverKey: offer.serverKey.x963.base64URL, label: label, key: key.rawRepresentation.base64URL,
            message: message.base64URL, isEnrolled: false)
    }

    /// The newest confirmed key for a user of a service.
    private func approvalKey(_ domain: String, _ label: String) throws -> SigningKey? {
        try wallet.secrets.approvals?.last { $0.domain == domain && $0.label == label && $0.isEnrolled }
            .flatMap { $0.key.fromBase64URL }.map { try SigningKey(rawRepresentation: $0) }
    }

    /// Checks the service's word about this wallet's key, and keeps that it was given.
    private func accept(_ device: ApprovalDevice, _ id: String) throws {
        guard let own = wallet.secrets.approvals?.first(where: { $0.offer == id }),
            let key = own.key.fromBase64URL.flatMap({ try? SigningKey(rawRepresentation: $0) }),
            let word = device.confirmation.fromBase64URL, let signature = device.signature.fromBase64URL,
            let serverKey = own.serverKey.fromBase64URL,
            let confirmation = try? DeviceConfirmation.parse(word), confirmation.device == key.publicKey,
            confirmation.account.base64URL == own.label, confirmation.serverKey.x963 == serverKey,
            suite.isValidP256(signature, over: word, publicKey: serverKey)
        else { throw WalletError.badApproval("the service's word is about another device") }
        try wallet.update { _, secrets in
            guard let place = secrets.approvals?.firstIndex(where: { $0.offer == id }) else { return }
            secrets.approvals?[place].isEnrolled = true
        }
    }
}

extension ServerClient {
    package func takeOffer(_ id: String, _ offer: TakenApprovalOffer) async throws -> MemberEnrolment {
        try await post("/api/approvals/enrolments/\(Self.segment(id))", offer)
    }
    package func takenOffer(_ id: String) async throws -> MemberEnrolment {
        try await get("/api/approvals/enrolments/\(Self.segment(id))")
    }
    func approvalDevices() async throws -> [ApprovalDevice] { try await list("/api/approvals/devices") }
    package func removeApprovalDevice(_ id: String) async throws -> Acknowledgement {
        try await delete("/api/approvals/devices/\(Self.segment(id))")
    }
}
