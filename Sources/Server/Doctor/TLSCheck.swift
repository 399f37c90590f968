import Encodings
import Foundation
import NIOSSL

/// The server's own TLS: certificate and key belong together, name the public URL's host, and are valid yet.
struct TLSCheck: DoctorCheck {
    let name = "TLS"
    private static let margin: Int64 = 30 * 86_400

    func run(_ deployment: Deployment) async throws -> [Finding] {
        let organisation = try? await deployment.organisation()
        let given = deployment.configuration.publicURL?.text
        if let organisation, let given, organisation.publicURL != given {
            return [
                bad(
                    "the organisation was set up as \(organisation.publicURL), the settings say \(given)",
                    "the server refuses to start: set --public-url to the first")
            ]
        }
        let url = given ?? organisation?.publicURL ?? deployment.configuration.defaultPublicURL(port: 0)
        guard let files = deployment.configuration.tls else {
            guard url.hasPrefix("https:") else { return [good("none, and none needed for \(url)")] }
            return [good("not by this server: a proxy in front answers for \(url)")]
        }
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificate), let leaf = chain.first else {
            return [bad("\(files.certificate) holds no certificate in PEM", "give the chain, leaf first")]
        }
        guard let key = try? NIOSSLPrivateKey(file: files.key, format: .pem) else {
            return [bad("\(files.key) holds no private key in PEM", "give the leaf's key")]
        }
        let settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        guard (try? NIOSSLContext(configuration: settings)) != nil else {
            return [bad("key and certificate do not belong together", "give the key of \(files.certificate)")]
        }
        var findings: [Finding] = []
        let left = Int64(leaf.notValidAfter) - deployment.now
        if left < Self.margin {
            let words = left < 0 ? "ended \(-left / 86_400) days ago" : "ends in \(left / 86_400) days"
            findings.append(
                Finding(
                    name, left < 0 ? .bad : .warning, "the certificate \(words)", "renew it, and restart the server"))
        }
        let host = url.components(separatedBy: "://").last?.components(separatedBy: ":").first ?? ""
        let names = Self.names(leaf)
        if !names.contains(where: { Self.matches($0, host) }) {
            findings.append(
                bad("the certificate names \(names.joined(separator: ", ")), not \(host)", "get one for \(host)"))
        }
        return findings.isEmpty ? [good("the certificate is \(host)'s, for \(left / 86_400) more days")] : findings
    }

    private static func names(_ certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().compactMap { name in
            name.nameType == .dnsName ? String(decoding: name.contents, as: UTF8.self).lowercased() : nil
        }
    }

    /// A name, or a star for its first label (RFC 6125 section 6.4.3).
    static func matches(_ pattern: String, _ host: String) -> Bool {
        if pattern == host { return true }
        guard pattern.hasPrefix("*."), let dot = host.firstIndex(of: ".") else { return false }
        return host[dot...] == pattern.dropFirst()
    }
}
