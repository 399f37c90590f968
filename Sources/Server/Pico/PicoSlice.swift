import Interface
import Storage

extension Slice {
    /// Wallets that sign their owner in on other computers by scanning a code, and the rendezvous where both meet.
    static let pico = Slice(
        name: "pico", migrations: [Schema.pico, Schema.picoOrigins], pages: Page.ofPico,
        people: [
            PersonColumn(table: "pico_sessions", column: "account", erasure: .delete),
            PersonColumn(table: "pico_wallets", column: "account", erasure: .delete),
        ],
        retention: [.rows(.init(table: "pico_sessions", key: "session"))],
        keys: [.picoSecret],
        deviceRevoked: { device, account, transaction in
            try PicoWalletStore(transaction: transaction).endAll(ofDevice: device, account: account)
        },
        passkeyRemoved: { passkey, account, transaction in
            try PicoWalletStore(transaction: transaction).deleteAll(ofPasskey: passkey, account: account)
        },
        // Wallets that were paired without a device would outlive all devices.
        ownerRecovered: { account, transaction in
            try PicoWalletStore(transaction: transaction).deleteAll(account: account)
        }, open: { OpenPico(office: try PicoOffice($0)) })
}

private struct OpenPico: OpenSlice {
    let office: PicoOffice

    func add(to routes: inout RouteTable) { PicoRoutes(office: office).add(to: &routes) }
}
