import Interface
import Logging
import ServiceLifecycle
import Storage

extension Slice {
    /// Notices to people who have no page open: what is wanted, where it goes, and what waits to be delivered.
    static let notifications = Slice(
        name: "notifications",
        migrations: [
            Schema.notifications, Schema.notificationSMS, Schema.notificationContent, Schema.notificationPasskeys,
        ],
        sentences: NotificationDetail.Sentence.ofProgram,
        pages: Page.ofNotifications,
        people: [
            PersonColumn(table: "notification_ways", column: "account", erasure: .delete),
            PersonColumn(table: "notification_mutes", column: "account", erasure: .delete),
            PersonColumn(table: "notification_outbox", column: "account", erasure: .delete),
            PersonColumn(table: "notification_sms", column: "account", erasure: .delete),
        ],
        retention: [
            .rows(.init(table: "notification_outbox", key: "id")),
            .rows(
                .init(
                    table: "notification_ways", key: "id", over: "confirmed IS NULL AND created <= $1",
                    time: { _ in 86_400 })),
            .rows(.init(table: "notification_sms", key: "id", over: "sent <= $1", time: { _ in 86_400 })),
        ], keys: [.notificationSecret],
        deviceRevoked: { device, _, transaction in
            try NotificationWayStore(transaction: transaction).delete(device: device)
            return []
        },
        passkeyRemoved: { passkey, account, transaction in
            try NotificationWayStore(transaction: transaction).delete(passkey: passkey, of: account)
            return []
        },
        walletRemoved: { account, transaction in
            try NotificationWayStore(transaction: transaction).deleteUnknown(of: account)
        },
        // All sessions have ended, those without a device too.
        ownerRecovered: { account, transaction in
            try NotificationWayStore(transaction: transaction).deletePush(of: account)
        }, open: { OpenNotifications(environment: $0) })
}

private struct OpenNotifications: OpenSlice {
    let environment: Environment

    func add(to routes: inout RouteTable) { NotificationRoutes(environment: environment).add(to: &routes) }

    func services(_ shell: Shell, _ logger: Logger) -> [any Service] {
        [NotificationDelivery(environment: environment, senders: environment.notificationSenders, logger: logger)]
    }
}

extension Environment {
    /// The ways that this server has; it needs the keys of the slice.
    var notificationSenders: [NotificationWay.Kind: any NotificationSender] {
        var senders: [NotificationWay.Kind: any NotificationSender] = [
            .push: PushSender(egress: egress, keys: PushKeys(keys), publicURL: publicURL, random: random)
        ]
        if let sms { senders[.sms] = SMSSender(office: sms, database: database) }
        if let mail { senders[.email] = MailSender(mail: mail, database: database, publicURL: publicURL) }
        return senders
    }
}

extension Page {
    /// Where people choose how they are told.
    static let ofNotifications = [
        Page(
            "/wallet/notifications", "accounts/notifications", "How you are told that something waits",
            at: .init(tabOf: "/wallet/devices", in: .settings, 11, "Notifications"))
    ]
}
