// swift-tools-version: 6.2
import PackageDescription

// Everything that *does*. What Countersign *knows* is the package in `Core/`, which has no dependencies.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What computes for long is compiled with the optimiser in debug builds too, as in `Core/`.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// lld comes with the toolchain and links twice as fast as the default linker.
let linker: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"])]

/// The folders of `Web/`: templates, ES modules and styles, one folder for each capability.
///
/// They travel beside the program.
let pages = [
    "shell", "public", "scanner", "verification", "accounts", "documents", "approvals", "pico", "transparency", "vault",
    "hand-signatures", "admin",
]

func core(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "Core") }
}

let package = Package(
    name: "countersign",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "countersign", targets: ["countersign"]),
        .executable(name: "countersign-bench", targets: ["Bench"]),
        .executable(name: "example-bank", targets: ["Bank"]),
        .library(name: "CountersignService", targets: ["CountersignService"]),
    ],
    dependencies: [
        .package(path: "Core"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CArgon2", path: "Sources/CArgon2", pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]),
        .systemLibrary(
            name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "Workers", swiftSettings: strict),
        .target(
            name: "CryptoProvider",
            dependencies: core(
                "Age", "Approvals", "Encodings", "EllipticCurves", "Certificates", "Passkeys", "Pico", "Vault"
            ) + [
                "CArgon2", "Workers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: strict + optimised),
        .target(
            name: "Interface",
            dependencies: core("Encodings", "Documents", "Transparency"),
            swiftSettings: strict),
        .target(
            name: "Storage",
            dependencies: [
                "CLibPQ",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .target(
            name: "Web", path: "Web", sources: ["WebFiles.swift"],
            resources: pages.map { .copy($0) }, swiftSettings: strict),
        .target(
            name: "Server",
            dependencies: core(
                "Approvals", "Encodings", "Documents", "HandSignatures", "Transparency", "Certificates", "Passkeys",
                "EllipticCurves", "Pico", "Vault", "Verification"
            ) + [
                "CryptoProvider", "CZlib", "Interface", "Storage", "Web", "Workers",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .target(
            name: "Wallet",
            dependencies: core(
                "Age", "Approvals", "Archives", "Encodings", "EllipticCurves", "Documents", "Pico", "Transparency",
                "Certificates", "Vault", "Verification"
            ) + [
                "CryptoProvider", "Interface",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .target(
            name: "CountersignService",
            dependencies: core("Approvals", "Encodings", "EllipticCurves") + [
                "Interface",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "countersign",
            dependencies: core(
                "Age", "Approvals", "Encodings", "EllipticCurves", "QRCodes", "Certificates", "Documents",
                "HandSignatures", "Transparency", "Passkeys", "Pico", "Vault", "Verification"
            ) + [
                "CZlib", "CryptoProvider", "Interface", "Server", "Storage", "Wallet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .executableTarget(
            name: "Bench",
            dependencies: core(
                "Approvals", "BrowserCalls", "Encodings", "EllipticCurves", "Certificates", "Documents", "Fuzzing",
                "HandSignatures", "Pico", "QRCodes", "SignatureBrowser", "Transparency", "Vault", "Verification"
            ) + [
                "CryptoProvider", "Interface", "Server", "Storage", "Wallet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .executableTarget(
            name: "Bank",
            dependencies: core("QRCodes") + [
                "CountersignService",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Examples/Bank", resources: [.copy("Pages")], swiftSettings: strict, linkerSettings: linker),
        .testTarget(
            name: "WorkersTests", dependencies: ["Workers"], swiftSettings: strict, linkerSettings: linker),
        .testTarget(
            name: "CryptoProviderTests",
            dependencies: core(
                "Age", "Approvals", "Archives", "Encodings", "EllipticCurves", "Certificates", "Documents", "Passkeys",
                "Pico", "Vault"
            ) + [
                "CryptoProvider", "Workers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .target(
            name: "FaultyObjectStore",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/FaultyObjectStore", swiftSettings: strict),
        .target(
            name: "WebhookReceiver",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/WebhookReceiver", swiftSettings: strict),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "FaultyObjectStore", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .testTarget(
            name: "ServerTests",
            dependencies: core(
                "Approvals", "EllipticCurves", "Encodings", "Certificates", "Documents", "Fuzzing", "HandSignatures",
                "Transparency",
                "Pico", "Vault", "Verification"
            ) + [
                "CountersignService", "CryptoProvider", "FaultyObjectStore", "Interface", "Server", "Storage", "Web",
                "WebhookReceiver", "Workers",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .testTarget(
            name: "WalletTests",
            dependencies: core(
                "Age", "Approvals", "Archives", "Certificates", "Encodings", "EllipticCurves", "Documents", "Pico",
                "QRCodes", "Transparency", "Vault", "Verification"
            ) + [
                "CryptoProvider", "Interface", "Wallet", "countersign",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .testTarget(
            name: "EndToEndTests",
            dependencies: core(
                "Approvals", "BrowserCalls", "Encodings", "EllipticCurves", "Documents", "HandSignatures", "Pico",
                "QRCodes", "SignatureBrowser", "Transparency", "Vault", "Verification"
            ) + [
                "Bank", "Bench", "CountersignService", "CryptoProvider", "FaultyObjectStore", "Interface", "Server",
                "Storage",
                "Wallet", "WebhookReceiver", "countersign",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .testTarget(
            name: "ParserTests",
            dependencies: core("EllipticCurves", "Encodings", "Fuzzing") + [
                "CLibPQ", "CryptoProvider", "Interface", "Server", "Storage", "Wallet",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict, linkerSettings: linker),
        .testTarget(name: "ArchitectureTests", swiftSettings: strict + optimised, linkerSettings: linker),
    ]
)
