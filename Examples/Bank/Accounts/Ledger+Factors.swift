extension Ledger {
    /// The customer's reader: what it shows for these digits.
    mutating func read(_ input: Card.Input, pin: String, of username: String) throws(BankError) -> String {
        var customer = try customer(username)
        defer { replace(customer) }
        return try customer.card.respond(input, pin: pin)
    }

    /// Whether a response is of the customer's card, once.
    mutating func accept(_ response: String, to input: Card.Input, of username: String) throws(BankError) -> Bool {
        var customer = try customer(username)
        defer { replace(customer) }
        return customer.card.accept(response, to: input)
    }

    /// Whether a code is of the customer's authenticator app, once.
    mutating func takeCode(_ code: String, of username: String, at time: Int64) throws(BankError) -> Bool {
        var customer = try customer(username)
        defer { replace(customer) }
        return customer.authenticator?.take(code, at: time) ?? false
    }
}
