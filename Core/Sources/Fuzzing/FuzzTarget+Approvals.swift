import ApprovalBrowser
import Approvals
import Encodings

extension FuzzTarget {
    static let approvals = [
        FuzzTarget("bencode", maximumLength: 2048, bencode),
        FuzzTarget("original-challenge", maximumLength: 4096, originalChallenge),
        FuzzTarget("original-reply", maximumLength: 1024, originalReply),
        FuzzTarget("original-key", maximumLength: 1024, originalKey),
        FuzzTarget("approval-challenge", maximumLength: 4096, approvalChallenge),
        FuzzTarget("approval-answer", maximumLength: 512, approvalAnswer),
        FuzzTarget("approval-enrolment", maximumLength: 4096, approvalEnrolment),
        FuzzTarget("approval-receipt", maximumLength: 8192, approvalReceipt),
        FuzzTarget("approval-part", maximumLength: 2048, approvalPart),
        FuzzTarget("approval-module", maximumLength: 8192, approvalModule),
    ]

    private static func bencode(_ input: Bytes) throws(BrokenPromise) {
        guard let value = try? Bencode.parse(input, maximumDepth: 4, maximumCount: 64) else { return }
        try expect(value.encoded() == input, "one spelling for one value")
        try expect((try? Bencode.parse([0x6C] + input + [0x65], maximumDepth: 5)) == .list([value]), "a value nests")
    }

    private static func originalChallenge(_ input: Bytes) throws(BrokenPromise) {
        if let sent = try? OriginalLink.parse(input) {
            try expect(OriginalLink.scheme.count < input.count, "a link has something in it")
            try expect((try? OriginalLink.parse(OriginalLink.encode(sent))) == sent, "our link reads the same")
        }
        guard let sent = try? UnverifiedOriginalChallenge.parse(input) else { return }
        try expect((try? UnverifiedOriginalChallenge.parse(sent.pushMessage())) == sent, "what is written is read")
        let link = OriginalLink.encode(sent)
        try expect(!link.dropFirst(OriginalLink.scheme.count).contains(0x2F), "our link has no slash")
        let canonical = sent.challenge.canonical()
        let value = try? Bencode.parse(canonical, maximumLength: canonical.count, maximumDepth: 1)
        try expect(value?.entries?.count == 9, "what is signed is nine members, in order")
    }

    private static func originalReply(_ input: Bytes) throws(BrokenPromise) {
        guard let reply = try? OriginalReply.parse(input) else { return }
        try expect(reply.signature.count == 64 && reply.messageID >= 0, "parts have their lengths")
        guard
            let challenge = try? OriginalChallenge(
                body: [], category: OriginalChallenge.enrolmentCategory, expiry: 0, messageID: reply.messageID,
                nonce: [],
                responseURL: [], shortTitle: [], subtitle: [])
        else { return }
        let verified = try? reply.verified(for: challenge, device: nil, serverKeys: [], suite: LenientSuite.real)
        let refused = try? reply.verified(for: challenge, device: nil, serverKeys: [], suite: RefusingSuite())
        try expect(refused == nil, "no reply counts unsigned")
        guard let verified else { return }
        let again = try? OriginalReply.body(
            messageID: reply.messageID, signature: reply.signature, publicKey: verified.key, token: reply.token)
        // A zero in a signature is read, and no suite accepts it; writing one is refused.
        guard let again else { return }
        try expect((try? OriginalReply.parse(again))?.signature == reply.signature, "what is written is read")
    }

    private static func originalKey(_ input: Bytes) throws(BrokenPromise) {
        if let key = try? OriginalServerKey(pem: input) {
            try expect(key.modulus.count >= 256 && key.modulus.count <= 512, "keys have limits")
            try expect(
                !RealRSA().isValidRSAWithSHA384(
                    Bytes(repeating: 0, count: key.modulus.count), over: input, modulus: key.modulus,
                    exponent: key.exponent),
                "zero signs nothing")
        }
        guard let key = try? OriginalDeviceKey.parse(input, suite: LenientSuite.real) else { return }
        let pem = OriginalDeviceKey.pem(key)
        try expect((try? OriginalDeviceKey.parse(pem, suite: LenientSuite.real)) == key, "what is written is read")
    }

    private static func approvalChallenge(_ input: Bytes) throws(BrokenPromise) {
        guard let message = try? UnverifiedApprovalChallenge.parse(input) else { return }
        let challenge = message.challenge
        try expect(challenge.statement() == message.statement, "one spelling for one challenge")
        for line in challenge.lines {
            try expect(UTF8Text.isValid(line.text), "what is shown is text")
            try expect(line.text.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "nothing that is shown is a control")
        }
        try expect(
            (try? message.verified(service: challenge.service.id, key: challenge.serverKey, suite: RefusingSuite()))
                == nil,
            "nothing is asked unsigned")
        let signed = try? message.verified(
            service: challenge.service.id, key: challenge.serverKey, suite: LenientSuite.real)
        try expect(signed?.encoded() == input, "one spelling for one message")
    }

    private static func approvalAnswer(_ input: Bytes) throws(BrokenPromise) {
        guard let answer = try? ApprovalAnswer.parse(input) else { return }
        try expect(answer.encoded() == input, "one spelling for one answer")
    }

    /// An offer, and the message that takes it.
    private static func approvalEnrolment(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let offered = parts.next()
        try expect(
            (try? ApprovalOffer.parse(offered, at: 0, suite: RefusingSuite())) == nil, "nothing is offered unsigned")
        guard let offer = try? ApprovalOffer.parse(offered, at: 0, suite: LenientSuite.real) else { return }
        let message = parts.rest()
        func parse<Suite: ApprovalCryptoSuite>(_ suite: Suite) -> DeviceEnrolment? {
            try? DeviceEnrolment.parse(
                message, for: offer, devices: [], needsVoucher: false, serverKeys: [], at: 0, suite: suite)
        }
        try expect(parse(RefusingSuite()) == nil, "nothing is enrolled unsigned")
        guard let enrolment = parse(LenientSuite.real) else { return }
        try expect(enrolment.voucher == nil, "nobody vouches who is not enrolled")
        let confirmation = DeviceConfirmation(enrolment, of: offer, at: 0, suite: LenientSuite.real)
        try expect((try? DeviceConfirmation.parse(confirmation.statement())) == confirmation, "what is written is read")
    }

    private static func approvalReceipt(_ input: Bytes) throws(BrokenPromise) {
        guard let list = (try? Bencode.parse(input, maximumLength: 8192, maximumDepth: 3))?.list, list.count > 1,
            let challenge = list[1].string.flatMap({ try? ApprovalChallenge.parse($0) })
        else { return }
        let trusted = [TrustedApprovalService(id: challenge.service.id, key: challenge.serverKey)]
        for suite in LenientSuite.both {
            guard let receipt = try? ApprovalReceipt.verify(input, trusting: trusted, suite: suite) else { continue }
            try expect(receipt.challenge == challenge, "what was asked is in the receipt")
            try expect(!receipt.answers.isEmpty, "somebody answered")
            try expect(receipt.time <= challenge.expires, "and in time")
            try expect(
                (try? ApprovalReceipt.verify(input, trusting: trusted, suite: RefusingSuite())) == nil,
                "nothing is decided unsigned")
        }
    }

    private static func approvalPart(_ input: Bytes) throws(BrokenPromise) {
        if let message = try? ApprovalLink.parse(input) {
            let links = [ApprovalLink.encode(message), ApprovalLink.encode(message, forPages: true)]
            try expect(links.contains(input), "one spelling for one link")
        }
        var collector = PartCollector()
        for line in input.split(at: 0x0A) {
            let before = collector.received
            let message = try? collector.add(line, suite: LenientSuite.toy)
            let after = collector.received
            try expect(after == 0 || after == before || after == before + 1, "a part counts once")
            guard let message else { continue }
            try expect(!message.isEmpty && after == collector.expected, "a message is whole")
        }
    }

    /// A call of a page, as it travels through the memory of the module for approvals.
    private static func approvalModule(_ input: Bytes) throws(BrokenPromise) {
        try checkAnswer(ApprovalBrowser.answer(input))
    }
}

/// RSA as it is, without a library.
private struct RealRSA: ApprovalCryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isOnP256(_ publicKey: Bytes) -> Bool { false }
    func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}

extension LenientSuite: ApprovalCryptoSuite {
    func isOnP256(_ publicKey: Bytes) -> Bool { true }
    func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
}

extension RefusingSuite: ApprovalCryptoSuite {
    func isOnP256(_ publicKey: Bytes) -> Bool { true }
    func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
