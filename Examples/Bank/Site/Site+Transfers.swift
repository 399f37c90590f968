import Hummingbird

/// Transfers: typed, shown once more, and confirmed by the second factor.
extension Site {
    func addTransfers(to router: Router<Context>) {
        page(router, "transfer") { visit in
            await bank.noteOpened(visit.token)
            let customer = try await bank.customer(visit.token)
            return await show(
                "transfer", visit,
                [
                    "accounts": customer.accounts.map {
                        ["name": $0.name, "number": $0.number, "balance": "\($0.balance)"]
                    },
                    "payees": Self.rows(customer.payees),
                ])
        }
        form(router, "transfer", back: "/transfer") { visit in
            let customer = try await bank.customer(visit.token)
            guard let payee = customer.payees.first(where: { $0.number == visit["payee"] }) else {
                throw BankError.refused("Choose somebody to pay.")
            }
            guard let amount = Money(typed: visit["amount"]) else {
                throw BankError.refused("An amount is for example 30 or 30.50, and at most \(Money.largest).")
            }
            let remark = visit["remark"]
            guard remark.isEmpty || Self.isLine(remark, 1...100) else {
                throw BankError.refused("A remark has at most 100 letters, in one line.")
            }
            try await bank.draft(
                Transfer(from: visit["from"], payee: payee, amount: amount, remark: remark), visit.token)
            return ("/transfer/check", nil)
        }
        page(router, "transfer/check") { visit in
            _ = try await bank.customer(visit.token)
            guard let draft = visit.session.draft else { return Self.go(to: "/transfer") }
            var values: [String: any Sendable] = [
                "amount": "\(draft.amount)", "payee": draft.payee.name, "number": draft.payee.number,
                "from": draft.from,
            ]
            if !draft.remark.isEmpty { values["remark"] = draft.remark }
            return await show("check", visit, values)
        }
        form(router, "transfer/check", back: "/transfer") { visit in
            try await bank.confirmDraft(visit.token, browser: visit.browser)
            let isAsked = await bank.visit(visit.token).session.confirmation != nil
            return (isAsked ? "/confirm" : "/", nil)
        }
    }
}
