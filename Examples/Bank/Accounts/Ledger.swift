/// What the customers have, and what they paid.
struct Ledger: Sendable {
    private(set) var customers: [String: Customer] = [:]

    /// Most payees of one customer.
    static let payees = 50
    /// Most lines of a history.
    static let history = 200

    init(_ customers: [Customer]) {
        for customer in customers { self.customers[customer.username] = customer }
    }

    func customer(_ username: String) throws(BankError) -> Customer {
        guard let customer = customers[username] else { throw .refused("There is no such customer.") }
        return customer
    }

    mutating func replace(_ customer: Customer) { customers[customer.username] = customer }

    mutating func setFactor(_ factor: Factor, of username: String, authenticator: Authenticator? = nil) {
        customers[username]?.factor = factor
        customers[username]?.changes += 1
        if let authenticator { customers[username]?.authenticator = authenticator }
    }

    mutating func add(_ payee: Payee, of username: String) throws(BankError) {
        let customer = try customer(username)
        guard customer.payees.count < Self.payees else { throw .refused("You have \(Self.payees) payees already.") }
        guard !customer.payees.contains(where: { $0.number == payee.number }) else {
            throw .refused("You have a payee of this account already.")
        }
        customers[username]?.payees.append(payee)
    }

    /// Whether a transfer can be booked as things stand.
    func check(_ transfer: Transfer, of username: String) throws(BankError) {
        let customer = try customer(username)
        guard let account = customer.accounts.first(where: { $0.number == transfer.from }) else {
            throw .refused("Choose one of your accounts.")
        }
        guard account.balance >= transfer.amount else {
            throw .refused("There is not enough in your account. It has \(account.balance).")
        }
    }

    /// Books a transfer: it leaves one account and, if the payee is a customer of this bank, comes to another.
    mutating func book(_ transfer: Transfer, of username: String, by factor: Factor, at time: Int64) throws(BankError) {
        try check(transfer, of: username)
        let remark = transfer.remark.isEmpty ? "" : ": \(transfer.remark)"
        change(
            transfer.from, of: username, by: Money(pence: -transfer.amount.pence),
            "To \(transfer.payee.name)\(remark)", factor, time)
        let receiver = customers.values.first { $0.accounts.contains { $0.number == transfer.payee.number } }
        guard let receiver else { return }
        let sender = customers[username]?.name ?? ""
        change(
            transfer.payee.number, of: receiver.username, by: transfer.amount, "From \(sender)\(remark)", factor,
            time)
    }

    private mutating func change(
        _ number: String, of username: String, by amount: Money, _ words: String, _ factor: Factor, _ time: Int64
    ) {
        guard var customer = customers[username],
            let place = customer.accounts.firstIndex(where: { $0.number == number })
        else { return }
        customer.accounts[place].balance = customer.accounts[place].balance + amount
        customer.history.insert(
            Entry(account: number, words: words, amount: amount, time: time, factor: factor), at: 0)
        customer.history = Array(customer.history.prefix(Self.history))
        customers[username] = customer
    }
}
