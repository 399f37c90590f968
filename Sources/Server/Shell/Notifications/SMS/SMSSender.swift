import Interface
import Storage

/// How SMS leave this server, and how many may.
struct SMSOffice: Sendable {
    let transport: any SMSTransport
    let prefixes: PhonePrefixes
    /// Messages in an hour, of all accounts together.
    let perHour: Int
}

extension SMSOffice {
    /// The way that an operator has set; `nil` for none.
    ///
    /// - Throws: `NotificationSetUpError`, which says what to do.
    init?(_ settings: ServerConfiguration.SMSSettings?, _ egress: Egress) throws {
        guard let settings else { return nil }
        let transport: any SMSTransport
        switch settings.place {
        case .folder(let path): transport = SMSFolder(path: path)
        case .gateway(let address):
            let credentials = try settings.credentials.map { try SMSCredentials(file: $0) }
            transport = SMSGateway(egress: egress, address: address, credentials: credentials)
        }
        self.init(transport: transport, prefixes: settings.prefixes, perHour: settings.perHour)
    }
}

/// Sends notices by SMS: the text alone, without an address, within the bounds of what a phone gets.
struct SMSSender: NotificationSender {
    let office: SMSOffice
    let database: any Database

    func send(_ notice: OutgoingNotice) async -> NotificationOutcome {
        let item = notice.item
        // What is over is nothing to write about.
        guard !item.isOver else { return .delivered }
        // The operator may have shut out its country since.
        guard let number = PhoneNumber(item.address), office.prefixes.allow(number) else {
            return .refused("the number is not one to which this server sends")
        }
        let use = SMSUseStore.Use(
            id: item.id, account: item.account, number: number.text, isCode: false, sent: notice.now)
        do {
            let wait = try await database.write { [office] transaction in
                try SMSUseStore(transaction: transaction).take(use, perHour: office.perHour)
            }
            // It waits, and is not lost.
            if let wait { return .later("enough SMS were sent for now", after: wait) }
        } catch {
            return .later("\(error)", after: nil)
        }
        return await office.transport.deliver(
            SMSMessage(to: number, text: notice.words.text(item, notice.kind), id: item.id), now: notice.now)
    }
}
