public import Encodings

extension QuorumRule {
    /// The rule in one line: `GBP 0:1 100000:2`, as it is stored and logged.
    public var text: Bytes {
        var text = currency.code
        for step in steps {
            text += [0x20] + decimalBytes(UInt64(step.from)) + [0x3A] + decimalBytes(UInt64(step.need))
        }
        return text
    }

    /// Reads the line.
    ///
    /// - Returns: `nil` for every other spelling.
    public init?(text: Bytes) {
        guard let parts = text.split(at: 0x20, maximum: 1 + Self.maximumSteps), let code = parts.first,
            let currency = Currency(code: code)
        else { return nil }
        var steps: [Step] = []
        for part in parts.dropFirst() {
            guard let step = Step(text: part) else { return nil }
            steps.append(step)
        }
        self.init(currency: currency, steps: steps)
    }
}

extension QuorumRule.Step {
    /// Reads `100000:2`: from this amount on so many.
    ///
    /// - Returns: `nil` for anything else. Whether the numbers fit a rule, only the rule says.
    public init?(text: Bytes) {
        guard let numbers = text.split(at: 0x3A, maximum: 2), numbers.count == 2, let from = parseDecimal(numbers[0]),
            let need = parseDecimal(numbers[1]),
            from <= UInt64(DisplayField.maximumAmount), need <= UInt64(ApprovalChallenge.maximumApprovers)
        else { return nil }
        self.init(from: Int64(from), need: Int(need))
    }
}
