/// The rules that services' offers, what older devices said about them, and the devices must meet together: see
/// ``HammerRules``.
struct HammerHandoverRules {
    private let tables: HammerApprovalTables

    init(_ tables: HammerTables) { self.tables = tables.approvals }

    /// Everything that is there in part, in words.
    func halves() -> [String] { handovers() + enrolments() + devices() }

    /// A word is there once it was given, and not before the older device looked.
    private func handovers() -> [String] {
        tables.offers.compactMap { id, offer -> String? in
            let handover = offer.handover
            let (isAsked, isClaimed) = (handover.key != nil, handover.by != nil)
            let isGiven = handover.word != nil
            let isWhole =
                switch handover.state ?? "" {
                case "": !isAsked && !isClaimed && !isGiven
                case "asked": isAsked && !isClaimed && !isGiven
                case "claimed": isAsked && isClaimed && !isGiven
                case "agreed": isAsked && isClaimed && isGiven
                default: isAsked && !isGiven
                }
            return isWhole ? nil : "offer \(id) is handed over in part"
        }
    }

    /// An enrolment has its device; one with a word has the older one too, and is what it gave the word for.
    private func enrolments() -> [String] {
        let keys = Set(tables.devices.values.map(\.publicKey))
        return tables.offers.compactMap { id, offer -> String? in
            guard offer.state == "completed" else { return nil }
            guard let key = offer.key, keys.contains(key) else { return "offer \(id) was completed without its device" }
            let handover = offer.handover
            guard let voucher = offer.voucher else {
                return handover.word == nil ? nil : "offer \(id) was handed over, and taken without that"
            }
            // The load gives no word beside the server.
            let isGiven = handover.state == "agreed" && handover.key == key && handover.by == voucher
            return isGiven && keys.contains(voucher) ? nil : "offer \(id) was taken with a word that nobody gave"
        }
    }

    /// Each device took one offer, which is kept for a day: longer than any load.
    private func devices() -> [String] {
        let offers = tables.offers.values.filter { $0.state == "completed" }.compactMap(\.key)
        let counts = offers.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return tables.devices.compactMap { id, device -> String? in
            let count = counts[device.publicKey] ?? 0
            return count == 1 ? nil : "approver \(id) completed \(count) offers"
        }
    }
}
