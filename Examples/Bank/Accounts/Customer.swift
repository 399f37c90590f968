/// An account at the bank.
struct Account: Sendable {
    let number: String
    let name: String
    var balance: Money
}

/// Somebody whom a customer pays.
struct Payee: Sendable {
    let name: String
    /// Eight digits, at this bank or another.
    let number: String
}

/// A transfer from an account of the customer's.
struct Transfer: Sendable {
    let from: String
    let payee: Payee
    let amount: Money
    /// One line.
    let remark: String
}

/// A line of a customer's history.
struct Entry: Sendable {
    let account: String
    let words: String
    let amount: Money
    let time: Int64
    /// What confirmed it.
    let factor: Factor
}

/// A customer with everything that the bank knows of them.
struct Customer: Sendable {
    let username: String
    let name: String
    let password: PasswordHash
    var factor = Factor.none
    /// How often the factor was changed.
    var changes = 0
    var accounts: [Account]
    var payees: [Payee]
    /// The newest first.
    var history: [Entry] = []
    /// Where codes go.
    let phone: String
    var card: Card
    var authenticator: Authenticator?
}

/// A password as it is kept.
struct PasswordHash: Sendable {
    let salt: [UInt8]
    let hash: [UInt8]
}
