import ArgumentParser
import Encodings
import Wallet

/// `countersign wallet vault share`.
struct VaultShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Share folders of your vault, or a file by a link.",
        discussion: """
            With members. The folder's key is sealed to each of their devices; the server cannot read it. Before that you \
            see their name and the fingerprints of their devices. Compare these with what they see: their \
            'countersign wallet vault share' begins with it. The first time you take something of somebody, you compare \
            theirs.

              countersign wallet vault share Papers
              countersign wallet vault share Papers --with ada --write
              countersign wallet vault share Papers --end ada
              countersign wallet vault share
              countersign wallet vault share --take 1
              countersign wallet vault ls Papers

            Ending it works at once. They may have kept the folder's key, so give the folder another one: then a kept key \
            opens nothing that the server has. Members whom you have admitted get the new key, on the devices that they \
            had then; nobody gets it because the server lists them. What former members have read or saved stays with \
            them. If the command is cut off, give it again.

              countersign wallet vault share Papers --end ada --new-key
              countersign wallet vault share Papers --new-key

            Deleting a folder destroys it for everybody. Leaving one takes somebody else's folder out of your vault.

              countersign wallet vault share Papers --delete
              countersign wallet vault share Theirs --leave

            By a link, without an account. The key is in the link behind '#', which is never sent to the server. Send the \
            link and the code by two ways.

              countersign wallet vault share Papers/degree.pdf --link --for 7 --views 3
              countersign wallet vault share --links
              countersign wallet vault share --stop ID
            """)

    @Argument(
        help: """
            A folder, to see or change who uses it; with --link a file or note; with --take where the folder goes. Default: \
            what others share with you.
            """)
    var path: String?
    @Option(name: .customLong("with"), help: "Share the folder with the member who has this username.")
    var person: String?
    @Flag(help: "They may change the folder, too.") var write = false
    @Option(
        help:
            "End this for a member: their username, or their name or id as the list shows it. The folder stays as it is."
    )
    var end: String?
    @Flag(help: "Give the folder another key, and seal it for those who stay members. Goes alone or with --end.")
    var newKey = false
    @Flag(help: "Destroy the folder with everything in it, at once, for everybody.") var delete = false
    @Flag(help: "Leave a folder of somebody else.") var leave = false
    @Option(help: "Put a folder that somebody shares with you into your vault: its number or id.") var take: String?
    @Option(
        help:
            "A fingerprint of theirs, from themselves: with another one nothing is done. It is compared without asking."
    )
    var fingerprint: String?
    @Flag(help: "Make a link to a file or note, with a code.") var link = false
    @Option(name: .customLong("for"), help: "For how many days the link works, 1 to 30.") var days = 7
    @Option(help: "How often the link may be opened, 1 to 1000.") var views = 3
    @Flag(help: "Your links.") var links = false
    @Option(help: "Stop the link with this id at once.") var stop: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func validate() throws {
        let changes = [person != nil, end != nil || newKey, delete, leave, link]
        let acts = changes + [take != nil, links, stop != nil]
        guard acts.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "Give one of --with, --end, --delete, --leave, --take, --link, --links and --stop; --new-key goes alone or "
                    + "with --end.")
        }
        guard path != nil || !changes.contains(true) else {
            throw ValidationError("Say what: give a path of your vault.")
        }
        guard path == nil || !(links || stop != nil) else {
            throw ValidationError("--links and --stop are about all links: give no path.")
        }
        guard !write || person != nil else { throw ValidationError("--write goes with --with USERNAME.") }
        guard fingerprint == nil || person != nil || take != nil else {
            throw ValidationError("--fingerprint goes with --with or --take.")
        }
        guard (1...30).contains(days), (1...1000).contains(views) else {
            throw ValidationError("--for is 1 to 30, --views 1 to 1000.")
        }
    }

    func run() async throws {
        if let stop { return try await stopLink(stop) }
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        if links { return try await show(linksOf: sharing) }
        if let take { return try await receive(take, vault, sharing) }
        guard let path else { return try await show(receivedBy: sharing, vault) }
        if link { return try await makeLink(path, vault, sharing) }
        let item = try await vault.one(path)
        if let person { return try await admit(person, to: item, sharing) }
        if newKey || delete { try await checkIsOwn(item, vault) }
        if let end { return try await dismiss(end, from: item, sharing) }
        if newKey { return try await exchangeKey(of: item, sharing) }
        if delete { return try await deleteForAll(item, sharing) }
        if leave { return try await leaveShared(item, vault, sharing) }
        try await show(membersOf: item, vault, sharing)
    }
}
