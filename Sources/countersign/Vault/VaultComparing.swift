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

    /// Asks whether somebody is to be given something, after their fingerprints were shown; or compares those with what they
    /// have told.
    ///
    /// - Parameters:
    ///   - question: what is agreed to.
    ///   - expected: a fingerprint of theirs as they have told it; with another one it is a no.
    ///   - yes: whether the person has said yes before.
    /// - Throws: `otherPrint`; what `Terminal.confirm` throws for a no.
    static func isMeant(_ person: VaultPerson, _ question: String, expected: String?, yes: Bool) throws {
        let prints = person.devices.map(\.print)
        if let expected {
            guard prints.contains(VaultPrint.normalised(expected)) else { throw VaultFault.otherPrint(person.name) }
            return
        }
        let name = Bytes(text: person.name).shown
        Terminal.note("\(name) has \(prints.count == 1 ? "a device" : "\(prints.count) devices") in the log:")
        for print in prints { Terminal.note("  \(print)") }
        Terminal.note("Compare this with what \(name) sees with 'countersign wallet vault share'.")
        try Terminal.confirm(question, yes: yes)
    }
}

extension VaultPerson {
    /// Who it is, with the fingerprints of their devices, for programs.
    var json: JSON {
        .members([
            ("account", .text(account)), ("name", .text(name)),
            ("prints", .array(devices.map { .text($0.print) })),
        ])
    }
}
