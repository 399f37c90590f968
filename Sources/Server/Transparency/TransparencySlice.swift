extension Slice {
    /// The log.
    static let transparency = Slice(
        name: "transparency",
        migrations: [Schema.logPolicies],
        people: [
            // The entry stays as a number that nothing opens.
            PersonColumn(table: "log_entries", column: "account", erasure: .clear(["opening", "record"]))
        ])
}
