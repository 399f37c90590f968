import Encodings
import Wallet

/// Whose a device is: compared before the first thing that it has signed is opened.
enum VaultComparing {
    /// Asks whether a device is somebody's, or compares it with what they have told.
    ///
    /// - Parameters:
    ///   - expected: a fingerprint of theirs, normalised; with another one it is a no, without it the person is asked.
    ///   - yes: whether the person has said yes before.
    /// - Throws: `otherPrint`; what `Terminal.confirm` throws for a no.
    static func isThem(_ device: UnknownDevice, expected: String?, yes: Bool) throws {
        if let expected {
            guard expected == device.print else { throw VaultFault.otherPrint(device.name) }
            return
        }
        let name = Bytes(text: device.name).shown
        Terminal.note(
            device.isOther
                ? "Your vault knows another key of \(name). People have a new key when they have a new device."
                : "Your vault does not know the key of \(name) yet.")
        Terminal.note("  \(device.print)")
        Terminal.note("If \(name) sees another one with 'countersign wallet vault share', open nothing.")
        try Terminal.confirm("Is this \(name)?", yes: yes)
    }
}
