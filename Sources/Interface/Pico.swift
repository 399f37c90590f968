/// A wallet that is paired: it signs its owner in on other computers by scanning what they show.
public struct PicoWallet: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    public var id: String
    /// What its owner calls it, 1 to 200 bytes.
    public var name: String
    public var created: Int64
    /// When it last signed in.
    public var used: Int64?
    /// The device of the account that paired it, if one did: revoked, it takes the pairing with it.
    public var device: String?
    /// Whether the device that reads this paired it.
    public var own: Bool
    /// SHA-256 of its identity key, 64 hexadecimal digits.
    public var commitment: String
    public init(
        id: String, name: String, created: Int64, used: Int64?, device: String?, own: Bool, commitment: String
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.used = used
        self.device = device
        self.own = own
        self.commitment = commitment
    }
}

/// The name of a wallet that is to be paired, or a new one for it.
public struct PicoWalletName: Codable, Sendable {
    /// 1 to 200 bytes.
    public var name: String
    public init(name: String) { self.name = name }
}

/// A code that pairs a wallet with the account, once.
public struct PicoPairingOffer: Codable, Sendable {
    /// 32 hexadecimal digits.
    public var id: String
    /// What the wallet reads, type KP of the Pico protocol.
    public var code: String
    /// The service's commitment, which the wallet shows too: SHA-256 of its key, 64 hexadecimal digits.
    public var fingerprint: String
    public var expires: Int64
    public init(id: String, code: String, fingerprint: String, expires: Int64) {
        self.id = id
        self.code = code
        self.fingerprint = fingerprint
        self.expires = expires
    }
}

/// How far a pairing has come.
public struct PicoPairingProgress: Codable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// No wallet has answered yet.
        case waiting
        /// The wallet is paired.
        case paired
        /// The code no longer counts.
        case expired
    }

    public var state: State
    /// The wallet, once it is paired.
    public var wallet: PicoWallet?
    public init(state: State, wallet: PicoWallet? = nil) {
        self.state = state
        self.wallet = wallet
    }
}

/// A code that a paired wallet signs in with, in the browser that asked for it.
public struct PicoSignInOffer: Codable, Sendable {
    /// 32 hexadecimal digits.
    public var id: String
    /// What the browser that asked keeps to itself: with it alone the session is handed out.
    public var secret: String
    /// What the wallet reads, type KA of the Pico protocol.
    public var code: String
    public var expires: Int64
    public init(id: String, secret: String, code: String, expires: Int64) {
        self.id = id
        self.secret = secret
        self.code = code
        self.expires = expires
    }
}

/// A browser asks for a code to be signed in with.
public struct NewPicoSignIn: Codable, Sendable {
    /// Whether the session is to be locked as soon as the wallet no longer answers; not, if left out.
    public var continuous: Bool?
    /// Whether the session that the request comes with, locked or not, ends if it is of the same account; not, if left out.
    public var replaces: Bool?
    public init(continuous: Bool? = nil, replaces: Bool? = nil) {
        self.continuous = continuous
        self.replaces = replaces
    }
}

/// Whether a wallet still answers for a session.
public struct PicoHeldSession: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// It does: the session is open.
        case active
        /// Its owner paused it: the session is locked until it goes on.
        case paused
        /// Its owner ended it, or it is gone: the session stays locked, and a new sign-in replaces it.
        case lost
    }

    public var state: State
    /// Until when the session stays open if nothing more is heard.
    public var until: Int64
    public init(state: State, until: Int64) {
        self.state = state
        self.until = until
    }
}

/// Shows that it is the browser that asked.
public struct PicoSignInSecret: Codable, Sendable {
    /// Of `PicoSignInOffer`.
    public var secret: String
    public init(secret: String) { self.secret = secret }
}

/// How far a sign-in has come.
public struct PicoSignInProgress: Codable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// No wallet has looked at it yet.
        case waiting
        /// A wallet has scanned the code, and its owner is asked.
        case seen
        /// The wallet's owner said no.
        case denied
        /// The code no longer counts.
        case expired
        /// The session is in this answer.
        case signedIn = "signed-in"
    }

    public var state: State
    /// The session, once.
    public var session: NewSession?
    public init(state: State, session: NewSession? = nil) {
        self.state = state
        self.session = session
    }
}

/// What wallets know this server by.
public struct PicoOwnService: Codable, Sendable, Equatable {
    /// The commitment of its identity key, 64 hexadecimal digits.
    public var commitment: String
    public init(commitment: String) { self.commitment = commitment }
}

/// Who asks to be signed in, for the wallet's owner to look at before anything is proved.
public struct PicoAsking: Codable, Sendable, Equatable {
    /// What the browser calls itself, in words, if it can be told.
    public var browser: String?
    /// The network address of that browser, as the server sees it.
    public var address: String
    /// When its page showed the code.
    public var created: Int64
    public var expires: Int64
    public init(browser: String?, address: String, created: Int64, expires: Int64) {
        self.browser = browser
        self.address = address
        self.created = created
        self.expires = expires
    }
}

/// A request of a page at a channel of another server's rendezvous, which this server takes there.
public struct PicoRelayRequest: Codable, Sendable {
    /// `https://HOST[:PORT]/channel/NAME`.
    public var address: String
    /// What to write, base64url; to read, nothing.
    public var message: String?
    public init(address: String, message: String? = nil) {
        self.address = address
        self.message = message
    }
}

/// What the other rendezvous answered.
public struct PicoRelayAnswer: Codable, Sendable, Equatable {
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// There is a message.
        case message
        /// The other side has taken what was written.
        case taken
        /// Somebody has closed the channel.
        case closed
        /// Nobody came. Ask again.
        case timedOut = "timed-out"
        /// Somebody else waits there.
        case occupied
    }

    public var outcome: Outcome
    /// What was written there, base64url.
    public var message: String?
    public init(outcome: Outcome, message: String? = nil) {
        self.outcome = outcome
        self.message = message
    }
}
