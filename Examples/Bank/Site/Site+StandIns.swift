import Hummingbird

/// Pages that stand for things that people have: a phone with text messages, and a card reader. A real bank has neither.
extension Site {
    func addStandIns(to router: Router<Context>) {
        page(router, "phone") { visit in
            let messages = await bank.messages.map { ["phone": $0.phone, "words": $0.words] }
            return await show("phone", visit, ["messages": messages])
        }
        page(router, "reader") { visit in await show("reader", visit) }
        form(router, "reader", back: "/reader") { visit in
            let input: Card.Input
            if visit["challenge"].isEmpty {
                guard let amount = Money(typed: visit["amount"]), visit["account"].utf8.count == 8 else {
                    throw BankError.refused("Type the bank's number, or account and amount.")
                }
                input = .sign(account: visit["account"], pence: amount.pence)
            } else {
                input = .respond(challenge: visit["challenge"])
            }
            let response = try await bank.read(input, pin: visit["pin"], of: visit["card"].lowercased())
            await bank.say("The reader shows \(response)", visit.token)
            return ("/reader", nil)
        }
    }
}
