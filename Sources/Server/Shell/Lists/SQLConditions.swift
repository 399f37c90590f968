import Storage

/// Conditions of a statement that is put together, with their values in order.
struct SQLConditions {
    private(set) var values: [SQLValue] = []
    private var conditions: [String] = []

    init() {}

    /// The conditions of another statement, whose further values follow those given.
    init(after other: SQLConditions, values: [SQLValue]) {
        (conditions, self.values) = (other.conditions, values)
    }

    /// The conditions of another statement, whose own values follow those given.
    init(renumbering other: SQLConditions, after values: [SQLValue]) {
        conditions = other.conditions.map { condition in
            condition.replacing(/\$(\d+)/) { "$\((Int($0.output.1) ?? 0) + values.count)" }
        }
        self.values = values + other.values
    }

    /// The conditions as a `WHERE` clause, or nothing.
    var clause: String {
        conditions.isEmpty ? "" : "WHERE " + conditions.map { "(\($0))" }.joined(separator: " AND ")
    }

    /// Adds a condition that must hold; each `?` in it is the next of `values`.
    mutating func add(_ condition: String, _ values: [SQLValue] = []) {
        conditions.append(bind(condition, values))
    }

    /// Numbers the values of a part of a statement: `?` becomes `$1`, `$2` and so on.
    mutating func bind(_ part: String, _ values: [SQLValue]) -> String {
        var bound = ""
        var rest = values[...]
        for character in part {
            if character == "?", let value = rest.popFirst() {
                self.values.append(value)
                bound += "$\(self.values.count)"
            } else {
                bound.append(character)
            }
        }
        return bound
    }
}
