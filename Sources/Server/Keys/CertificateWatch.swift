import CoreMetrics
import Certificates
import Logging
import ServiceLifecycle

/// Looks once a day at the certificates that only the root renews: renews what it may, and warns before one ends.
struct CertificateWatch: Service {
    let environment: Environment
    let metrics: MetricsRegistry
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await look()
                try await environment.clock.sleep(Limits.certificateWatch)
            }
        }
    }

    /// One look.
    ///
    /// A failure is tried again the next day, and reported until then.
    func look() async {
        do {
            for kind in try await RootCertificates(environment: environment).renewServerKeys() {
                logger.notice("the \(kind.words)'s certificate was renewed by the root")
            }
            for warning in try await warnings() { logger.warning("\(warning)") }
        } catch {
            logger.error("certificates could not be looked at", metadata: ["error": "\(error)"])
        }
    }

    /// Which certificates end soon, in words that say what to do; the ends themselves go to the metrics.
    func warnings() async throws -> [String] {
        guard let organisation = try await environment.storedOrganisation() else { return [] }
        let now = environment.now()
        return try RootCertificateKind.allCases.compactMap { kind in
            guard let end = try organisation.certificate(kind)?.notAfter else { return nil }
            Meter(
                label: "certificate_end_timestamp_seconds", dimensions: [("holder", kind.rawValue)], factory: metrics
            ).set(end)
            guard end - now < Limits.renewalWarning else { return nil }
            let when = end < now ? "has ended" : "ends in \((end - now) / 86_400) days"
            return "the certificate of the \(kind.words) \(when): see docs/keys.md, \"Certificates that end\""
        }
    }
}
