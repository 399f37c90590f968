import Pico

// How long things may take, and how long they are kept.
extension Limits {
    /// From a request's head to the end of its body, unless that is a document.
    package static let bodyTime: Duration = .seconds(30)
    /// So long nothing may come of a large body, where it came fast enough before.
    static let bodyPause: Duration = .seconds(20)
    /// So long a download may take nothing.
    static let downloadPause: Duration = .seconds(120)
    /// From the end of a request to the head of its answer.
    package static let answerTime: Duration = .seconds(60)
    /// From the beginning of a connection, or of a further request on it, to the end of the request's head.
    package static let headTime: Duration = .seconds(10)
    /// From an answer to the beginning of the next request: longer than proxies keep a connection by default, so that it
    /// is they who close it.
    package static let keepAliveTime: Duration = .seconds(75)
    /// A connection on which nothing is sent.
    package static let idleTime: Duration = .seconds(90)
    /// Between comments on a quiet live-update stream.
    package static let heartbeat: Duration = .seconds(15)
    /// In so many groups, one after the other: an event would have to wait until thousands had theirs.
    package static let heartbeatGroups = 30
    /// Requests under way when the server is told to stop.
    package static let stopTime: Duration = .seconds(15)
    /// One readiness check.
    package static let readinessTime: Duration = .seconds(5)
    /// A session, in seconds.
    package static let sessionTime: Int64 = 12 * 3_600
    /// How far the clocks of wallet and server may differ, in seconds.
    package static let clockDifference: Int64 = 300
    /// A sign-in nonce, in seconds.
    package static let signInNonceTime: Int64 = 300
    /// A challenge to make a passkey or to sign in with one, in seconds.
    package static let passkeyChallengeTime: Int64 = 300
    /// A ceremony that confirms a session, in seconds.
    package static let ceremonyTime: Int64 = 120
    /// How long a session counts as confirmed, in seconds.
    package static let confirmationTime: Int64 = 300
    /// A pairing, in seconds.
    package static let pairingTime: Int64 = 900
    /// How long a pairing that is over can still be looked at, in seconds.
    package static let pairingMemory: Int64 = 86_400
    /// An invitation, in seconds: from a minute to 30 days.
    package static let invitationTime: ClosedRange<Int64> = 60...2_592_000
    /// A code that lets the main administrator back in, in seconds.
    package static let recoveryTime: Int64 = 3_600
    /// An offer to enrol a device at a service, in seconds.
    package static let approvalOfferTime: Int64 = 600
    /// How long an offer that is over can still be looked at, in seconds.
    package static let approvalOfferMemory: Int64 = 86_400
    /// How long somebody who has lost their devices waits for others to say no, and how long new recovery codes wait, in
    /// seconds: three days.
    package static let approvalRecoveryWait: Int64 = 3 * 86_400
    /// How long a device can be enrolled after that wait, in seconds.
    package static let approvalRecoveryTime: Int64 = 86_400
    /// A request for approval, in seconds: from ten to a week.
    package static let approvalTime: ClosedRange<Int64> = 10...604_800
    /// A challenge of version 1, in seconds: from ten to an hour.
    package static let originalTime: ClosedRange<Int64> = 10...3_600
    /// How long a request for approval that is over is kept with its receipt, in seconds: 90 days.
    package static let approvalMemory: Int64 = 90 * 86_400
    /// How long a service may wait for an answer in one request, in seconds.
    package static let approvalWait: Int64 = 25
    /// When a service for which too much waits may come back, in seconds.
    package static let waitPause = 5
    /// A code that was sent to an e-mail address or a phone number, in seconds.
    package static let emailCodeTime: Int64 = 1_800
    /// Between two looks for notices that are due, if nothing rings.
    package static let notificationWatch: Duration = .seconds(15)
    /// Further looks after a ring.
    package static let notificationLooks: [Duration] = [.milliseconds(200), .seconds(1), .seconds(3)]
    /// How long one delivery may take until another process tries the same, in seconds.
    package static let deliveryLease: Int64 = 90
    /// After a delivery that failed, in seconds: from the first pause to the longest.
    package static let deliveryPause: ClosedRange<Int64> = 15...3_600
    /// A share link, in seconds: from a minute to a year.
    package static let shareTime: ClosedRange<Int64> = 60...31_536_000
    /// A face-to-face check, in seconds.
    package static let enrolmentTime: Int64 = 900
    /// Characters that find a face-to-face check, in seconds.
    package static let typedCodeTime: Int64 = 300

    /// How long an operator may think about a signature, in seconds.
    package static let signingTime: Int64 = 900
    /// How long a document that is shown can be signed, in seconds: read it together, then sign.
    package static let ticketTime: Int64 = 1_800
    /// How long failed attempts stay on record, in seconds: a year.
    package static let attemptMemory: Int64 = 365 * 86_400
    /// From a template to the signatures of a second visit, in seconds: waiting at the desk is not a second visit.
    package static let secondSittingRest: Int64 = 12 * 3_600
    /// A code for signing on another device, in seconds.
    package static let handoverTime: Int64 = 600
    /// How much of the status signer's certificate is always left while the root is here, in seconds: a year.
    package static let statusSignerMargin: Int64 = 365 * 86_400
    /// From when on the end of a certificate is warned of, in seconds: 60 days.
    package static let renewalWarning: Int64 = 60 * 86_400
    /// Between two looks at the certificates.
    package static let certificateWatch: Duration = .seconds(86_400)
    /// How long a request waits at a channel: below the minute after which proxies give up, and what the clients expect.
    package static let channelTime: Duration = .seconds(RendezvousChannel.patience)
    /// When somebody for whom no channel is free may come back, in seconds.
    package static let channelPause = 5
    /// A code that pairs a wallet or signs one in, in seconds.
    package static let picoCodeTime: Int64 = 300
    /// How long a member's wallets come in only through codes that they have looked at, in seconds from each look: as long as a
    /// code counts, and a run that began at its end.
    package static let picoLookTime: Int64 = 420
    /// How long a page may be silent before its code makes room for another, in seconds.
    package static let picoAbsence: Int64 = 30
    /// How long a page waits for a wallet in one request, in seconds.
    package static let picoWait: Int64 = 25
    /// How long a wallet has to fetch an answer.
    package static let picoReadingTime: Duration = .seconds(10)

    /// How long feedback is kept, in seconds: half a year.
    package static let feedbackTime: Int64 = 180 * 86_400

    /// Fresh guard keys of PIN slots that are still to be written, in seconds.
    package static let vaultEnrolmentTime: Int64 = 600
    /// How long a try at a PIN can be proved, in seconds: then its owner is told of it.
    package static let vaultProofTime: Int64 = 120
    /// How long a contact may have to wait, in seconds: from a day to 30.
    package static let vaultWait: ClosedRange<Int64> = 86_400...2_592_000
    /// How long items stay in the trash, and older versions beside the newest, in seconds: 30 days.
    package static let vaultTrashTime: Int64 = 30 * 86_400
    package static let vaultVersionTime: Int64 = 30 * 86_400
    /// How long an upload waits for its next part, or for the change that uses it, in seconds.
    package static let vaultUploadTime: Int64 = 86_400
    /// How long things stay in an inbox, in seconds: 30 days.
    package static let vaultDropTime: Int64 = 30 * 86_400
    /// A link to something of a vault, in seconds: from a minute to 30 days.
    package static let vaultLinkTime: ClosedRange<Int64> = 60...2_592_000
    /// For how long one epoch key wraps what is stored, in seconds: a week.
    package static let vaultEpoch: Int64 = 7 * 86_400
    /// How long an epoch key is kept after its week, in seconds: a backup that is younger can be restored.
    package static let vaultEpochMemory: Int64 = 14 * 86_400
}
