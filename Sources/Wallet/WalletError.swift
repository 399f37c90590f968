package import Interface

/// Why the wallet could not do what was asked.
package enum WalletError: Error, Equatable, Sendable {
    // MARK: The file

    /// There is no wallet at this path.
    case noWallet(path: String)
    /// There is one already, and it is not overwritten.
    case walletExists(path: String)
    /// The file cannot be read.
    case cannotRead(path: String)
    /// The file cannot be written; what was there before is still there.
    case cannotWrite(path: String)
    /// The file is larger than any wallet.
    case fileTooLarge(path: String)
    /// The file is not a wallet, or is one in an unknown form.
    case notAWallet
    /// The passphrase asked for could be guessed, or opening would take all memory: the file was tampered with.
    case unacceptableDerivation
    /// The passphrase is not the wallet's. Two in a row end the session.
    case wrongPassphrase(sessionEnded: Bool)
    /// Joining was begun with another passphrase, and the server may know the keys of the wallet that was begun.
    case begunWithAnotherPassphrase(String)
    /// The passphrase is right and the contents are not what was written.
    case tampered

    // MARK: The server

    /// The address is neither `https://HOST[:PORT]` nor plain http on this machine.
    case unacceptableAddress(String)
    /// The server says that its public address is another: statements would be made for another server.
    case publicURLDiffers(String)
    /// It did not answer.
    case unreachable(String)
    /// It answered with something that is not the interface's; the words say what.
    case unexpectedAnswer(String)
    /// It answered with a redirect, which is never followed.
    case redirected
    /// Its answer is longer than allowed.
    case answerTooLarge
    /// There is no session; sign in first.
    case notSignedIn
    /// The organisation is not set up yet.
    case notSetUp

    // MARK: Trust

    /// The root's fingerprint is another than demanded, or than the one pinned.
    case rootDiffers(expected: String, found: String)
    /// The log's key is another than the one pinned.
    case logKeyDiffers
    /// The organisation's log policy is not one to follow; the word says why.
    case badLogPolicy(String)
    /// A receipt does not prove what it should; the word says why. The act is not acknowledged.
    case badReceipt(String)
    /// The log was rewritten: its checkpoint contradicts one that was seen before.
    case logRewritten
    /// A document or its chain does not verify; the word says why.
    case badDocument(String)
    /// A certificate is not what it must be; the word says why.
    case badCertificate(String)
    /// The other side of a face-to-face check contradicts the code that was shown.
    case badEnrolment(String)
    /// A service's offer or question is not what it must be; the words say why.
    case badApproval(String)

    /// A backup does not open with this phrase, or was changed.
    case badBackup

    // MARK: What was asked

    /// The text is not a code of a face-to-face check; the word says why.
    case badCode(String)
    /// The text is not a shared link.
    case badLink
    /// Nothing by that name or id.
    case notFound(String)
    /// The wallet has no authority key, or no certificate for this act.
    case notCertified
    /// A value cannot be used; the words say which and why.
    case invalid(String)
    /// The holder's keys are others than at the face-to-face check.
    case holderKeysDiffer
    /// The face-to-face check was ended, and by whom, if the server says so.
    case enrolmentOver(Enrolment.Ending?)
    /// The face-to-face check ran out of time.
    case enrolmentExpired
}

/// The server refused, and said why (RFC 9457).
package struct ProblemError: Error, Equatable, Sendable {
    /// What the server said.
    package let problem: ProblemDetails

    /// The last part of the problem's address: stable, for programs.
    package var slug: String { String(problem.type.split(separator: "/").last ?? "unknown") }
}
