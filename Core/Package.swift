// swift-tools-version: 6.2
import PackageDescription

// What Countersign *knows*: no dependencies, no Foundation, no files, no sockets, no clock, no global randomness.
// The same files compile to WebAssembly as Embedded Swift; `scripts/build-wasm` proves it.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What computes for long is compiled with the optimiser in debug builds too: tests then take a tenth of the time, and
/// run what is shipped.
let computing: Set<String> = [
    "Age", "Documents", "Encodings", "EllipticCurves", "Fuzzing", "HandSignatures", "QRCodes", "Vault",
]
/// Tests that draw pictures or go through files byte for byte compute for as long themselves.
let computingTests: Set<String> = ["Age", "QRCodes"]
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The arithmetic of the curves is generic: only if all files are compiled at once does the optimiser see what it is
/// generic over, and then it is a hundred times as fast.
let specialised: Set<String> = ["EllipticCurves"]
let atOnce: [SwiftSetting] = [
    .unsafeFlags(
        ["-whole-module-optimization", "-disable-batch-mode", "-num-threads", "1"], .when(configuration: .debug))
]

/// The targets and what each may import: a capability sees `Encodings`, the curves and certificates, and no other capability.
let targets: [(name: String, imports: [String])] = [
    ("Encodings", []),
    ("EllipticCurves", ["Encodings"]),
    ("QRCodes", ["Encodings"]),
    ("Certificates", ["Encodings", "EllipticCurves"]),
    ("Documents", ["Encodings", "Certificates"]),
    ("Passkeys", ["Encodings", "Certificates"]),
    ("Approvals", ["Encodings", "EllipticCurves", "Certificates"]),
    ("Pico", ["Encodings", "EllipticCurves"]),
    ("Vault", ["Encodings", "EllipticCurves"]),
    ("HandSignatures", ["Encodings"]),
    ("Transparency", ["Encodings"]),
    ("Age", ["Encodings", "EllipticCurves"]),
    ("Archives", ["Encodings"]),
    ("Verification", ["Encodings", "EllipticCurves", "Certificates", "Documents", "Transparency"]),
    ("BrowserCalls", ["Encodings"]),
    ("PageMemory", ["Encodings"]),
    (
        "Browser",
        [
            "BrowserCalls", "Encodings", "EllipticCurves", "PageMemory", "QRCodes", "Certificates", "Documents",
            "Transparency", "Verification",
        ]
    ),
    ("SignatureBrowser", ["BrowserCalls", "Encodings", "HandSignatures", "PageMemory"]),
    ("ApprovalBrowser", ["Approvals", "BrowserCalls", "Encodings", "EllipticCurves", "PageMemory"]),
    ("PicoBrowser", ["BrowserCalls", "Encodings", "EllipticCurves", "PageMemory", "Pico"]),
    ("VaultBrowser", ["BrowserCalls", "Encodings", "EllipticCurves", "PageMemory", "Vault"]),
    ("ExportBrowser", ["Age", "Archives", "BrowserCalls", "Encodings", "PageMemory"]),
    ("CodeScanner", ["Encodings", "PageMemory", "QRCodes"]),
    (
        "Fuzzing",
        [
            "Age", "Archives", "Encodings", "EllipticCurves", "QRCodes", "Certificates", "Documents", "Passkeys",
            "Approvals", "Pico", "HandSignatures", "Vault",
            "Transparency", "Verification", "BrowserCalls", "Browser", "SignatureBrowser",
            "ApprovalBrowser", "PicoBrowser", "VaultBrowser", "ExportBrowser", "CodeScanner",
        ]
    ),
]

/// The test targets: what each imports besides its own target, and whether it has fixtures.
let tests: [(name: String, imports: [String], hasFixtures: Bool)] = [
    ("Encodings", [], false),
    ("EllipticCurves", ["Encodings"], true),
    ("QRCodes", ["Encodings"], true),
    ("Certificates", ["Encodings", "EllipticCurves"], true),
    ("Documents", ["Encodings", "EllipticCurves"], true),
    ("Passkeys", ["Encodings", "EllipticCurves"], true),
    ("Approvals", ["Encodings", "EllipticCurves"], true),
    ("Pico", ["Encodings", "EllipticCurves", "Fuzzing"], true),
    ("Vault", ["Encodings", "EllipticCurves", "Fuzzing"], true),
    ("HandSignatures", ["Encodings", "Fuzzing"], false),
    ("Transparency", ["Encodings", "EllipticCurves"], true),
    ("Age", ["Documents", "Encodings"], true),
    ("Archives", ["Encodings"], false),
    ("Verification", ["Encodings", "EllipticCurves", "Certificates", "Documents", "Transparency"], true),
    (
        "Browser",
        ["BrowserCalls", "Encodings", "EllipticCurves", "Certificates", "Documents", "Transparency", "Verification"],
        true
    ),
    ("SignatureBrowser", ["BrowserCalls", "Encodings", "HandSignatures"], false),
    ("ApprovalBrowser", ["Approvals", "BrowserCalls", "Encodings", "EllipticCurves"], false),
    ("PicoBrowser", ["BrowserCalls", "Encodings", "EllipticCurves", "Pico"], false),
    ("VaultBrowser", ["BrowserCalls", "Encodings", "EllipticCurves", "Vault"], false),
    ("ExportBrowser", ["Age", "Archives", "BrowserCalls", "Encodings"], false),
    ("CodeScanner", ["Encodings", "QRCodes"], true),
    ("Fuzzing", ["Encodings"], false),
]

let package = Package(
    name: "Core",
    platforms: [.macOS(.v26)],
    products: targets.map { .library(name: $0.name, targets: [$0.name]) },
    targets: targets.map {
        .target(
            name: $0.name, dependencies: $0.imports.map { .byName(name: $0) },
            swiftSettings: strict + (computing.contains($0.name) ? optimised : [])
                + (specialised.contains($0.name) ? atOnce : []))
    }
        + tests.map {
            .testTarget(
                name: "\($0.name)Tests", dependencies: ([$0.name] + $0.imports).map { .byName(name: $0) },
                resources: $0.hasFixtures ? [.copy("Fixtures")] : [],
                swiftSettings: strict + (computingTests.contains($0.name) ? optimised : []))
        }
)
