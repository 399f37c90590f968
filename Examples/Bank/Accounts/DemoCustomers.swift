extension Customer {
    /// The password of all customers of the example.
    static let password = "purple"
    /// The PIN of all their cards.
    static let pin = "1234"

    /// The customers of the example: each begins with another second factor, and may change it.
    static func demo() throws -> [Customer] {
        let people: [(username: String, name: String, factor: Factor)] = [
            ("ada", "Ada Lovelace", .none), ("sam", "Sam Morse", .sms), ("rita", "Rita Card", .card),
            ("theo", "Theo Clock", .none),
        ]
        return try people.enumerated().map { index, person in
            Customer(
                username: person.username, name: person.name, password: try PasswordHash(of: password),
                factor: person.factor,
                accounts: [
                    Account(number: "1000000\(index)", name: "Current account", balance: Money(pence: 2_500_00)),
                    Account(number: "2000000\(index)", name: "Savings", balance: Money(pence: 10_000_00)),
                ],
                payees: [
                    Payee(name: "Purple Plumbing", number: "08233593"),
                    Payee(name: "Hill Street Bakery", number: "41120077"),
                ], phone: "07700 90000\(index)", card: Card(number: "424\(index)", pin: pin))
        }
    }
}
