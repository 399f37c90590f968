/// Why an act on accounts, sessions and devices is refused.
enum AccountError: Error, Equatable {
    case alreadySetUp
    case notSetUp
    case wrongSetUpCode
    case invalidUsername
    case invalidName
    case weakPassphrase
    case usernameTaken
    case invitationInvalid
    /// A key is malformed, off the curve, used twice, or not proved.
    case invalidDevice
    case deviceTaken
    /// Whatever was wrong with username, passphrase, device or proof: the caller learns only that it failed.
    case signInFailed
    case deviceNotFound
    case sessionNotFound
    case deviceAlreadyRevoked
    case invalidInvitation
    case invitationNotFound
}
