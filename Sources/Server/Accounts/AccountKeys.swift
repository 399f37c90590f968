extension ServerKey {
    /// The organisation's root, which certifies the main administrator and the other keys.
    static let root = ServerKey(name: RootKey.name, kind: .root)
    /// Makes what is stored of invitation and link codes.
    static let codeSecret = ServerKey(
        name: "code-secret", kind: .secret, isFromSetUp: true)
}
