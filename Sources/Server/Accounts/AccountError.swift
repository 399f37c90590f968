/// Why an act on accounts, sessions and devices is refused.
enum AccountError: Error, Equatable {
    case alreadySetUp
    case notSetUp
    case wrongSetUpCode
    /// Unknown, used, expired, or not for this username.
    case wrongRecoveryCode
    case invalidUsername
    case invalidName
    /// An organisation's name that is too long.
    case invalidOrganisation
    /// A given or family name that is too long or has something invisible in it, or neither of them.
    case invalidNamePart
    /// No language tag.
    case invalidLanguage
    case weakPassphrase
    case usernameTaken
    case invitationInvalid
    /// A key is malformed, off the curve, used twice, or not proved.
    case invalidDevice
    case deviceTaken
    /// Username, passphrase, device or proof was wrong: the caller learns only that it failed.
    case signInFailed
    case deviceNotFound
    case accountNotFound
    case sessionNotFound
    case deviceAlreadyRevoked
    case invalidInvitation
    case invalidRecipient
    case invitationNotFound
    /// Neither passphrase nor passkey was given.
    case noWayToSignIn
    case alreadyVerified
    /// A passkey's registration is malformed, or not made for this server, name and challenge.
    case invalidPasskey
    case passkeyTaken
    case tooManyPasskeys
    case passkeyNotFound
    case lastWayToSignIn
    case tooManyCeremonies
    /// Neither an assertion nor passphrase and proof, or both.
    case invalidConfirmation
    case confirmationFailed
    /// Failed user verifications ended the session.
    case sessionEnded
    case pairingNotFound
    /// The other device still waits for endorsement.
    case pairingOpen
    /// Endorsed already.
    case pairingDecided
    /// Refused, expired or fetched.
    case pairingOver
    /// The endorsement does not name exactly this pairing and these keys, or another key signed it.
    case invalidEndorsement
    /// The new device gave another passphrase than the account's.
    case otherPassphrase
    case tooManyDevices
    /// The main administrator keeps the account out, for a reason that its person may know.
    case blocked(String)
}
