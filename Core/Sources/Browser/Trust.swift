import BrowserCalls
import Certificates
import EllipticCurves
import Encodings
import Transparency
import Verification

extension Browser {
    /// What is pinned, and what follows from it.
    static let trust = [
        Function("anchor", ["typed"], blobs: 1...1, anchor),
        Function("authority", ["root", "certificate", "time"], authority),
        Function("chain", ["root", "chain", "purpose", "time"], chain),
        Function("checkpoint", ["log_key", "note"], checkpoint),
        Function("log_policy", ["root", "statement", "certificate", "time"], logPolicy),
        Function("receipt", ["log_key", "proof", "type", "members"], receipt),
    ]

    /// Blob: a root certificate in PEM or DER → `{organisation, public_url, fingerprint, groups, matches, der, not_after}`;
    /// `matches` says whether `typed` is what the fingerprint begins with, in groups.
    private static func anchor(_ call: Call) throws(BrowserError) -> Answer {
        let file = call.blobs[0]
        // DER begins with a SEQUENCE, no PEM text with that byte.
        let root = try anchor(der: file.first == 0x30 ? file : pem(file))
        return Answer([
            ("organisation", .string(root.organisation)), ("public_url", .string(root.publicURL)),
            ("fingerprint", .hex(root.fingerprint)), ("groups", .string(FingerprintGroups.text(root.fingerprint))),
            ("matches", .bool(FingerprintGroups.matches(try call.optionalText("typed") ?? [], root.fingerprint))),
            ("der", .base64URL(root.certificate.der)),
            ("not_after", .integer(root.certificate.notAfter)),
        ])
    }

    private static func pem(_ text: Bytes) throws(BrowserError) -> Bytes {
        do {
            return try PEM.decode(text, maximumCount: 1)[0]
        } catch {
            throw BrowserError(error)
        }
    }

    static func anchor(der: Bytes) throws(BrowserError) -> TrustAnchor {
        do {
            return try TrustAnchor(der: der)
        } catch .malformed {
            throw BrowserError("not_a_certificate", "The file is not a certificate in PEM or DER form.")
        } catch .rootNotSelfSigned, .issuerNotAuthority, .issuerMayNotSign {
            throw BrowserError("not_a_root", "The certificate is not an organisation's root.")
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{root, certificate, time}` → `{name, public_key, fingerprint, not_after}` of the main administrator's certificate.
    private static func authority(_ call: Call) throws(BrowserError) -> Answer {
        let root = try anchor(der: call.bytes("root"))
        let der = try call.bytes("certificate")
        let time = try call.number("time")
        do {
            let certificate = try Certificate.parse(der)
            let key = try CertificatePath.validate(authority: certificate, root: root, at: time, suite: PureSuite())
            return Answer([
                ("name", .string(certificate.commonName ?? [])), ("public_key", .base64URL(key.x963)),
                ("fingerprint", .hex(certificate.fingerprint)), ("not_after", .integer(certificate.notAfter)),
            ])
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{root, chain, purpose, time}` → `{name, organisation, public_key, fingerprint, not_after, capabilities}` of the
    /// leaf; `chain` is leaf first, without the root.
    private static func chain(_ call: Call) throws(BrowserError) -> Answer {
        let root = try anchor(der: call.bytes("root"))
        let chain = try certificates(call)
        let purpose = try purpose(call)
        let time = try call.number("time")
        let path: ValidatedPath
        do {
            path = try CertificatePath.validate(
                chain: chain, root: root, purpose: purpose, at: time, suite: PureSuite())
        } catch {
            throw BrowserError(error)
        }
        var capabilities: [JSON] = []
        if path.capabilities.contains(.identifyMembers) { capabilities.append(.literal("identify_members")) }
        if path.capabilities.contains(.signDocuments) { capabilities.append(.literal("sign_documents")) }
        return Answer([
            ("name", .string(path.commonName)), ("organisation", .string(path.organisation)),
            ("public_key", .base64URL(path.publicKey.x963)), ("fingerprint", .hex(path.leaf.fingerprint)),
            ("not_after", .integer(path.leaf.notAfter)), ("capabilities", .array(capabilities)),
        ])
    }

    /// The member `chain`: certificates in DER, leaf first.
    static func certificates(_ call: Call) throws(BrowserError) -> [Bytes] {
        var chain: [Bytes] = []
        for text in try call.texts("chain", maximumCount: 4, maximum: 1 << 14) {
            guard let der = Base64.decode(text, .url) else {
                throw BrowserError("bad_base64url", member: "chain", "holds a text that is not base64url.")
            }
            chain.append(der)
        }
        guard !chain.isEmpty else { throw BrowserError("missing_member", member: "chain", "is missing or empty.") }
        return chain
    }

    private static func purpose(_ call: Call) throws(BrowserError) -> CertificatePurpose {
        let name = try call.text("purpose")
        if name.equals("documents") { return .documents }
        if name.equals("identity") { return .identity }
        guard name.equals("status") else {
            throw BrowserError("wrong_type", member: "purpose", "is not documents, identity or status.")
        }
        return .status
    }

    /// `{log_key, note}` → `{origin, size, root, witnesses}` of a checkpoint that the key or policy accepts; the
    /// witnesses are those of the policy that have signed, by their names.
    private static func checkpoint(_ call: Call) throws(BrowserError) -> Answer {
        let policy = try policy(call.text("log_key"))
        let note = try call.text("note", maximum: SignedNote.maximumLength)
        do {
            let verified = try VerifiedCheckpoint.verify(note, policy: policy, suite: PureSuite())
            return Answer([
                ("origin", .string(verified.checkpoint.origin)), ("size", .integer(Int64(verified.checkpoint.size))),
                ("root", .base64URL(verified.checkpoint.root)),
                ("witnesses", .array(verified.witnesses.map { .string($0.key.name) })),
            ])
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{root, statement, certificate, time}` → `{version, policy, certified}`: what the main administrator has signed,
    /// and since when the certificate of that signature is valid.
    private static func logPolicy(_ call: Call) throws(BrowserError) -> Answer {
        let root = try anchor(der: call.bytes("root"))
        let statement = try call.text("statement", maximum: LogPolicy.maximumLength * 2)
        let certificate = try call.bytes("certificate")
        let time = try call.number("time")
        do {
            let signed = try SignedLogPolicy.verify(
                statement, certificate: certificate, root: root, now: time, suite: PureSuite())
            return Answer([
                ("version", .integer(signed.version)), ("policy", .string(signed.text)),
                ("certified", .integer(signed.certified)),
            ])
        } catch {
            throw BrowserError("bad_log_policy", "The main administrator has not signed that log policy.")
        }
    }

    /// `{log_key, proof, type?, members?}` → `{index, time, type, record, origin}`, when the proof holds and is about
    /// that type of act, and the record has those members.
    private static func receipt(_ call: Call) throws(BrowserError) -> Answer {
        let policy = try policy(call.text("log_key"))
        let proof = try call.text("proof", maximum: 1 << 19)
        let receipt: VerifiedReceipt
        do {
            receipt = try Receipt.verify(proof, policy: policy, suite: PureSuite())
        } catch {
            throw BrowserError(error)
        }
        if let type = try call.optionalText("type"), type != receipt.entry.type {
            throw BrowserError("receipt_of_another_act", "The receipt proves another act.")
        }
        if call.optional("members") != nil {
            for member in try call.object("members") where receipt.record[bytes: member.name] != member.value {
                throw BrowserError(
                    "receipt_of_another_act", Bytes("The receipt's record has another '") + member.name + Bytes("'."))
            }
        }
        return Answer([
            ("index", .integer(Int64(receipt.index))), ("time", .integer(receipt.entry.time)),
            ("type", .string(receipt.entry.type)), ("record", receipt.record),
            ("origin", .string(receipt.checkpoint.checkpoint.origin)),
        ])
    }

    /// A log's verifier key, or a policy that names it.
    static func policy(_ text: Bytes) throws(BrowserError) -> LogPolicy {
        guard let policy = try? LogPolicy.read(text) else {
            throw BrowserError("bad_log_key", "The log key, or the log policy, is malformed.")
        }
        return policy
    }
}
