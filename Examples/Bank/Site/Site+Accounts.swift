import Hummingbird

/// What customers have, and whom they pay.
extension Site {
    func addAccounts(to router: Router<Context>) {
        page(router, "/") { visit in
            let customer = try await bank.customer(visit.token)
            return await show(
                "accounts", visit,
                [
                    "accounts": customer.accounts.map {
                        ["name": $0.name, "number": $0.number, "balance": "\($0.balance)"]
                    },
                    "history": Self.rows(Array(customer.history.prefix(5))),
                ])
        }
        page(router, "history") { visit in
            let customer = try await bank.customer(visit.token)
            return await show("history", visit, ["history": Self.rows(customer.history)])
        }
        page(router, "payees") { visit in
            let customer = try await bank.customer(visit.token)
            return await show("payees", visit, ["payees": Self.rows(customer.payees)])
        }
        form(router, "payees", back: "/payees") { visit in
            let (name, number) = (visit["name"], visit["number"].filter { $0 != " " && $0 != "-" })
            guard Self.isLine(name, 1...70) else { throw BankError.refused("A name has 1 to 70 letters, in one line.") }
            guard number.utf8.count == 8, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw BankError.refused("An account number has 8 digits.")
            }
            try await bank.add(Payee(name: name, number: number), visit.token)
            return ("/payees", nil)
        }
        page(router, "times") { visit in
            let timings = await bank.timings
            let rows = Factor.allCases.map { factor -> [String: String] in
                var row = ["factor": factor.words]
                for (name, isSignIn) in [("signin", true), ("transfer", false)] {
                    let own = timings.filter { $0.factor == factor && $0.isSignIn == isSignIn }.map(\.duration)
                    row[name + "-count"] = "\(own.count)"
                    row[name] = own.isEmpty ? "–" : Self.seconds(own.reduce(.zero, +) / own.count)
                }
                return row
            }
            return await show("times", visit, ["rows": rows])
        }
    }

    static func rows(_ payees: [Payee]) -> [[String: String]] {
        payees.map { ["name": $0.name, "number": $0.number] }
    }

    private static func rows(_ history: [Entry]) -> [[String: String]] {
        history.map {
            [
                "words": $0.words, "amount": "\($0.amount)", "account": $0.account, "factor": $0.factor.words,
                "sign": $0.amount.pence < 0 ? "out" : "in",
            ]
        }
    }

    /// One line of visible text: what the wallet shows has no more lines than what is typed.
    static func isLine(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.count) && text.utf8.count <= 4 * length.upperBound
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
                default: true
                }
            }
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = duration.components.seconds * 10 + duration.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
