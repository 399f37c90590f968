// swift-tools-version: 6.2
import PackageDescription

// `EllipticCurves` of Core beside OpenSSL, BoringSSL and BigInt. It is a package of its own, so that nobody who builds
// Countersign fetches the peers, and because building BoringSSL for release takes minutes.

let package = Package(
    name: "Curves",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(path: "../../Core"),
        // BoringSSL as the server has it: the version of the root package.
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/attaswift/BigInt", exact: "6.0.1"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CPeers", dependencies: ["COpenSSL", .product(name: "Crypto", package: "swift-crypto")]),
        .executableTarget(
            name: "curves",
            dependencies: [
                "CPeers",
                .product(name: "Encodings", package: "Core"),
                .product(name: "EllipticCurves", package: "Core"),
                .product(name: "BigInt", package: "BigInt"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Curves",
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
