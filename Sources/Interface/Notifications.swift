/// How an account is told that something waits, while none of its pages is open.
public struct NotificationSettings: Codable, Sendable, Equatable {
    /// The ways there are, the oldest first.
    public var ways: [NotificationWay]
    /// The kinds of notices.
    public var kinds: [NotificationKindInfo]
    /// The kinds that are switched off, each for one kind of way.
    public var off: [NotificationChoice]
    /// The server's public key for push subscriptions, base64url: `applicationServerKey`.
    public var pushKey: String
    /// Whether this server sends e-mail.
    public var hasEmail: Bool
    /// Whether this server sends SMS.
    public var hasSMS: Bool

    public init(
        ways: [NotificationWay], kinds: [NotificationKindInfo], off: [NotificationChoice], pushKey: String,
        hasEmail: Bool, hasSMS: Bool
    ) {
        self.ways = ways
        self.kinds = kinds
        self.off = off
        self.pushKey = pushKey
        self.hasEmail = hasEmail
        self.hasSMS = hasSMS
    }
}

/// A way to reach an account.
public struct NotificationWay: Codable, Sendable, Equatable {
    /// The kind of a way.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A browser, through the push service of its maker.
        case push
        /// An e-mail address.
        case email
        /// A phone number, by SMS.
        case sms
    }

    public var id: String
    public var kind: Kind
    /// The e-mail address, the phone number, or the push service's name.
    public var address: String
    /// SHA-256 of a push subscription's endpoint, base64url: a browser finds its own by it.
    public var mark: String?
    public var created: Int64
    /// Whether anything goes to it: an e-mail address or a phone number has to be confirmed first.
    public var isConfirmed: Bool
    /// Whether notices say here what they are about: who asks, which type of document, what changed.
    public var saysContent: Bool

    public init(
        id: String, kind: Kind, address: String, mark: String? = nil, created: Int64, isConfirmed: Bool,
        saysContent: Bool
    ) {
        self.id = id
        self.kind = kind
        self.address = address
        self.mark = mark
        self.created = created
        self.isConfirmed = isConfirmed
        self.saysContent = saysContent
    }
}

/// A kind of notice.
public struct NotificationKindInfo: Codable, Sendable, Equatable {
    /// Its name, such as `approval`.
    public var name: String
    /// Whether it concerns the protection of the account: it goes to every way, and cannot be switched off.
    public var isSecurity: Bool

    public init(name: String, isSecurity: Bool) {
        self.name = name
        self.isSecurity = isSecurity
    }
}

/// A kind of notice for a kind of way.
public struct NotificationChoice: Codable, Sendable, Equatable {
    public var way: NotificationWay.Kind
    /// The kind's name.
    public var kind: String

    public init(way: NotificationWay.Kind, kind: String) {
        self.way = way
        self.kind = kind
    }
}

/// Switches a kind of notice on or off for a kind of way.
public struct NotificationSwitch: Codable, Sendable, Equatable {
    public var way: NotificationWay.Kind
    /// The kind's name.
    public var kind: String
    public var isOn: Bool

    public init(way: NotificationWay.Kind, kind: String, isOn: Bool) {
        self.way = way
        self.kind = kind
        self.isOn = isOn
    }
}

/// Whether notices say what they are about, by one way.
public struct NotificationContent: Codable, Sendable, Equatable {
    public var isOn: Bool

    public init(isOn: Bool) { self.isOn = isOn }
}

/// A browser's push subscription (`PushSubscription` of the Push API).
public struct NewPushSubscription: Codable, Sendable, Equatable {
    /// An address of the push service: `https`, at most 1,024 bytes.
    public var endpoint: String
    /// `p256dh`, base64url: a point of P-256, uncompressed.
    public var key: String
    /// `auth`, base64url: 16 bytes.
    public var auth: String

    public init(endpoint: String, key: String, auth: String) {
        self.endpoint = endpoint
        self.key = key
        self.auth = auth
    }
}

/// An e-mail address that shall get notices.
public struct NewEmailAddress: Codable, Sendable, Equatable {
    /// Of the form `name@example.org`, at most 254 bytes.
    public var address: String

    public init(address: String) { self.address = address }
}

/// A phone number that shall get notices.
public struct NewPhoneNumber: Codable, Sendable, Equatable {
    /// With a plus sign and the code of the country, such as `+49 30 901820` (ITU-T E.164).
    public var number: String

    public init(number: String) { self.number = number }
}

/// The code that was sent to an e-mail address or a phone number.
public struct NotificationCode: Codable, Sendable, Equatable {
    public var code: String

    public init(code: String) { self.code = code }
}
