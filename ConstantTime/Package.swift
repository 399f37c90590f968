// swift-tools-version: 6.2
import PackageDescription

// The program that `scripts/check-constant-time` runs under Valgrind. It is a package of its own, because it needs
// Valgrind's header, which nobody else does.

let package = Package(
    name: "ConstantTime",
    platforms: [.macOS(.v26)],
    dependencies: [.package(path: "../Core")],
    targets: [
        // Valgrind 3.19 misreads later forms of what debuggers are told.
        .target(name: "CMemcheck", cSettings: [.unsafeFlags(["-gdwarf-4"])]),
        .executableTarget(
            name: "ConstantTime",
            dependencies: [
                "CMemcheck", .product(name: "Age", package: "Core"), .product(name: "Encodings", package: "Core"),
                .product(name: "EllipticCurves", package: "Core"),
            ],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
