import BrowserCalls
import Certificates
import Encodings

extension Browser {
    /// Certifying an administrator, in two halves around the main administrator's signature.
    static let delegation = [
        Function(
            "administrator_certificate",
            ["own", "key", "name", "capabilities", "status", "not_before", "duration", "serial"], draftCertificate),
        Function("certificate_finish", ["signature"], blobs: 1...1, finishCertificate),
    ]

    /// `{own, key, name, capabilities, status, not_before, duration?, serial}` → the bytes to be signed; `serial` is 16
    /// random bytes.
    private static func draftCertificate(_ call: Call) throws(BrowserError) -> Answer {
        let own = try call.bytes("own")
        guard let issuer = try? Certificate.parse(own) else {
            throw BrowserError("not_a_certificate", member: "own", "is not a certificate.")
        }
        let (key, name, capabilities) = (try call.key("key"), try call.text("name"), try capabilities(call))
        let status = try status(call)
        let (notBefore, duration) = (try call.number("not_before"), try call.optionalNumber("duration"))
        guard let serialNumber = CertificateTemplate.serialNumber(random: try call.bytes("serial")) else {
            throw BrowserError("wrong_length", member: "serial", "has not the right number of bytes.")
        }
        do {
            let signedBytes = try CertificateTemplate.administrator(
                name: name, key: key, capabilities: capabilities,
                status: StatusReference(uri: status.uri, index: Int(status.index)), issuer: issuer,
                notBefore: notBefore, duration: duration ?? CertificateTemplate.administratorDuration,
                serialNumber: serialNumber)
            return Answer(blobs: [signedBytes])
        } catch {
            throw BrowserError(error)
        }
    }

    /// Blob: the signed bytes → the certificate in DER.
    private static func finishCertificate(_ call: Call) throws(BrowserError) -> Answer {
        let signature = try call.bytes("signature", count: 64)
        do {
            return Answer(blobs: [try CertificateTemplate.certificate(call.blobs[0], signature: signature)])
        } catch {
            throw BrowserError(error)
        }
    }

    private static func capabilities(_ call: Call) throws(BrowserError) -> Capabilities {
        var capabilities: Capabilities = []
        _ = try call.value("capabilities")
        for name in try call.texts("capabilities", maximumCount: 2) {
            if name.equals("identify_members") {
                capabilities.insert(.identifyMembers)
            } else if name.equals("sign_documents") {
                capabilities.insert(.signDocuments)
            } else {
                throw BrowserError("wrong_type", member: "capabilities", "names an unknown capability.")
            }
        }
        return capabilities
    }
}

extension BrowserError {
    fileprivate init(_ error: CertificateTemplateError) {
        switch error {
        case .badName: self.init("bad_name", "The name is empty, too long, or has control characters.")
        case .badAddress: self.init("bad_address", "The address of the status list is not acceptable.")
        case .badKey: self.init("bad_key", "The key is not a P-256 public key.")
        case .badSerialNumber: self.init("bad_serial", "The serial number is not acceptable.")
        case .wrongIssuer: self.init("wrong_issuer", "The own certificate may not certify administrators.")
        case .badValidity: self.init("bad_validity", "The certificate would end before it begins.")
        case .badSignature: self.init("bad_signature", "The signature has not the form of one.")
        case .malformed: self.init("certificate_malformed", "These are not the bytes of a certificate to be signed.")
        }
    }
}
