/// Which target may import which: ARCHITECTURE.md, "Arrows point one way".
enum ImportRules {
    /// What a capability of `Core` may import.
    static let shared: Set<String> = ["Encodings", "EllipticCurves", "Certificates"]
    /// Slices of `Core`; no two of them know each other.
    static let capabilities: Set<String> = [
        "Pico", "Passkeys", "Approvals", "Documents", "Vault", "HandSignatures", "Transparency",
    ]
    /// The targets of `Core` with a rule of their own.
    static let coreSpecial: [String: Set<String>] = [
        "Encodings": [],
        "EllipticCurves": ["Encodings"],
        "QRCodes": ["Encodings"],
        "Certificates": ["Encodings", "EllipticCurves"],
        "Age": ["Encodings", "EllipticCurves"],
        "Archives": ["Encodings"],
        "Verification": shared.union(capabilities),
        "BrowserCalls": ["Encodings"],
        "PageMemory": ["Encodings"],
        "Browser": shared.union(capabilities).union(["BrowserCalls", "PageMemory", "QRCodes", "Verification"]),
        "SignatureBrowser": ["BrowserCalls", "Encodings", "HandSignatures", "PageMemory"],
        "ApprovalBrowser": ["Approvals", "BrowserCalls", "Encodings", "EllipticCurves", "PageMemory"],
        "PicoBrowser": ["BrowserCalls", "Encodings", "EllipticCurves", "PageMemory", "Pico"],
        "VaultBrowser": ["BrowserCalls", "Encodings", "EllipticCurves", "PageMemory", "Vault"],
        "ExportBrowser": ["Age", "Archives", "BrowserCalls", "Encodings", "PageMemory"],
        "CodeScanner": ["Encodings", "PageMemory", "QRCodes"],
        "Fuzzing": shared.union(capabilities).union([
            "Age", "ApprovalBrowser", "Archives", "BrowserCalls", "Browser", "CodeScanner", "ExportBrowser",
            "PicoBrowser", "QRCodes", "SignatureBrowser", "VaultBrowser", "Verification",
        ]),
    ]
    /// Every target of `Core` that there may be.
    static let coreTargets = Set(coreSpecial.keys).union(capabilities)

    /// Which of our own targets, `Core`'s aside, each target of the root package may import.
    static let rootTargets: [String: Set<String>] = [
        "CArgon2": [],
        "CLibPQ": [],
        "CZlib": [],
        "Workers": [],
        "CryptoProvider": ["CArgon2", "Workers"],
        "PDFSigning": ["CryptoProvider"],
        "Interface": [],
        "Storage": ["CLibPQ"],
        "Web": [],
        "Server": ["CZlib", "CryptoProvider", "PDFSigning", "Interface", "Storage", "Web", "Workers"],
        "CountersignService": ["Interface"],
        "Bank": ["CountersignService"],
        "Wallet": ["CryptoProvider", "PDFSigning", "Interface", "Storage"],
        "Bench": ["CryptoProvider", "Interface", "Storage", "Server", "Wallet"],
        "countersign": ["CZlib", "CryptoProvider", "PDFSigning", "Interface", "Storage", "Server", "Wallet"],
    ]
    /// Libraries that only these targets may see, so that exchanging one stays a matter of one folder.
    static let owners: [String: Set<String>] = [
        "CArgon2": ["CryptoProvider"],
        "Crypto": ["Bank", "CryptoProvider", "Storage"],
        "AsyncHTTPClient": ["CountersignService", "Server", "Storage", "Wallet"],
        "CryptoExtras": ["Bank", "CryptoProvider"],
        "_CryptoExtras": ["CryptoProvider"],
        "X509": ["CryptoProvider"],
        "SwiftASN1": ["CryptoProvider"],
        "GRDB": ["Storage"],
        "CLibPQ": ["Storage"],
        "CZlib": ["Server", "countersign"],
        "Hummingbird": ["Bank", "Server"],
        "HummingbirdCore": ["Server"],
        "Mustache": ["Bank", "Server"],
        "ArgumentParser": ["Bench", "countersign"],
    ]

    /// The modules that the target of `Core` may import, or `nil` when the design has no such target.
    static func allowedInCore(_ target: String) -> Set<String>? {
        coreSpecial[target] ?? (capabilities.contains(target) ? shared : nil)
    }

    /// Imports in a source file of `Core` that the design or the manifest does not allow.
    ///
    /// - Parameter manifest: for each target what `Core/Package.swift` lets it import.
    static func checkCore(_ source: SwiftSource, manifest: [String: Set<String>]) -> [Violation] {
        guard let target = source.target, let designed = allowedInCore(target), let declared = manifest[target] else {
            return [Violation(path: source.path, line: 1, reason: "is in no target that the design names")]
        }
        return source.imports
            .filter { !designed.contains($0.module) || !declared.contains($0.module) }
            .map {
                Violation(path: source.path, line: $0.line, reason: "\(target) of Core must not import \($0.module)")
            }
    }

    /// Imports in a source file of the root package that point the wrong way.
    static func checkRoot(_ source: SwiftSource) -> [Violation] {
        guard let target = source.target, let allowed = rootTargets[target] else {
            return [Violation(path: source.path, line: 1, reason: "is in no target that the design names")]
        }
        return source.imports.compactMap { line, module in
            let isOurs = rootTargets[module] != nil && module != target
            let isForeign = owners[module].map { !$0.contains(target) } ?? false
            guard isForeign || (isOurs && !allowed.contains(module)) else { return nil }
            return Violation(path: source.path, line: line, reason: "\(target) must not import \(module)")
        }
    }
}
