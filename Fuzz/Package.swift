// swift-tools-version: 6.2
import PackageDescription

// The fuzzer: libFuzzer of the toolchain around the targets of `Core/Sources/Fuzzing`. `scripts/fuzz` builds it with
// `--sanitize fuzzer`, which brings the function `main`; without that it does not link.

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v26)],
    dependencies: [.package(path: "../Core")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                .product(name: "Encodings", package: "Core"), .product(name: "Fuzzing", package: "Core"),
            ],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .unsafeFlags(["-parse-as-library"]),
            ])
    ]
)
