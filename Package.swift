// swift-tools-version: 6.2
import PackageDescription

let shared: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What the daemon is made of: without regular expressions, which would come into it unused.
let daemon: [SwiftSetting] =
    shared + [
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
    ]

/// Targets that open nothing and ask nobody for the time.
let pure: [SwiftSetting] = shared + [.strictMemorySafety()]
let pureOfDaemon: [SwiftSetting] = daemon + [.strictMemorySafety()]

/// Programs that are installed carry Swift's runtime with them: they start faster, and need only what
/// Debian has.
let installed: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib"], .when(configuration: .release))
]

let package = Package(
    name: "healthd",
    products: [
        .executable(name: "healthd", targets: ["healthd"]),
        .executable(name: "healthctl", targets: ["healthctl"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CJSON", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Only the numbers in its headers are used: nothing of the library is linked.
        .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(name: "CZone", linkerSettings: [.linkedLibrary("cctz")]),

        .target(name: "Measurements", swiftSettings: pureOfDaemon),
        .target(
            name: "Samples", dependencies: ["Measurements", "CZone"], swiftSettings: pureOfDaemon),
        .target(name: "JSON", dependencies: ["CJSON"], swiftSettings: pureOfDaemon),
        .target(
            name: "Captures", dependencies: ["Measurements", "JSON", "CBluetooth", "CZlib"],
            swiftSettings: pureOfDaemon),
        .target(name: "Simulation", dependencies: ["Measurements"], swiftSettings: pure),
        .target(name: "DBus", dependencies: ["CDBus"], swiftSettings: daemon),
        .target(
            name: "BlueZ", dependencies: ["DBus", "Measurements"], swiftSettings: pureOfDaemon),
        .target(
            name: "Storage", dependencies: ["Measurements", "Samples", "CSQLite", "CZlib"],
            swiftSettings: daemon),
        .target(
            name: "ControlProtocol", dependencies: ["Measurements", "Samples", "JSON"],
            swiftSettings: pureOfDaemon),
        .target(
            name: "Imports",
            dependencies: [
                "Measurements", "Samples", "JSON", "ControlProtocol", "CExpat", "CZlib",
            ],
            swiftSettings: pure),
        .target(
            name: "HealthDaemon",
            dependencies: [
                "Measurements", "Samples", "JSON", "Captures", "DBus", "BlueZ", "Storage",
                "ControlProtocol", "CLinux",
            ],
            swiftSettings: daemon),
        .executableTarget(
            name: "healthd", dependencies: ["HealthDaemon"], swiftSettings: daemon,
            linkerSettings: installed),
        .executableTarget(
            name: "healthctl",
            dependencies: [
                "Measurements", "Samples", "JSON", "Captures", "Simulation", "ControlProtocol",
                "Imports", "CLinux",
            ],
            swiftSettings: shared, linkerSettings: installed),

        .executableTarget(
            name: "gattlog-generator", dependencies: ["Captures", "Measurements", "Simulation"],
            path: "Tests/Generator", swiftSettings: shared),
        .executableTarget(
            name: "decoding-benchmark", dependencies: ["Measurements", "Samples"],
            path: "Tests/Benchmarks/Decoding", swiftSettings: shared),
        .executableTarget(
            name: "live-benchmark", dependencies: ["FakeBlueZ", "DaemonHarness"],
            path: "Tests/Benchmarks/Live", swiftSettings: shared),
        .testTarget(
            name: "MeasurementsTests", dependencies: ["Measurements"],
            resources: [.copy("Vectors")], swiftSettings: shared),
        .testTarget(
            name: "SamplesTests", dependencies: ["Samples", "Measurements"],
            swiftSettings: shared),
        .testTarget(
            name: "SimulationTests", dependencies: ["Simulation", "Samples", "Measurements"],
            swiftSettings: shared),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: shared),
        .testTarget(
            name: "CapturesTests", dependencies: ["Captures", "Measurements", "JSON"],
            exclude: ["Btmon", "Captures"], swiftSettings: shared),
        .testTarget(
            name: "DBusTests", dependencies: ["DBus", "FakeBlueZ", "DaemonHarness"],
            swiftSettings: shared),
        .testTarget(
            name: "BlueZTests", dependencies: ["BlueZ", "DBus", "Measurements"],
            swiftSettings: shared),
        .testTarget(
            name: "StorageTests", dependencies: ["Storage", "Samples", "Measurements"],
            resources: [.copy("Stores")], swiftSettings: shared),
        .testTarget(
            name: "ControlProtocolTests",
            dependencies: ["ControlProtocol", "Samples", "Measurements", "JSON"],
            swiftSettings: shared),
        .testTarget(
            name: "ImportsTests",
            dependencies: ["Imports", "ControlProtocol", "Samples", "JSON", "Measurements"],
            swiftSettings: shared),
        .testTarget(
            name: "HealthDaemonTests",
            dependencies: [
                "HealthDaemon", "DaemonHarness", "FakeBlueZ", "DBus", "BlueZ", "Storage",
                "ControlProtocol", "Samples", "JSON", "Measurements",
            ],
            swiftSettings: shared),
        .target(
            name: "DaemonHarness", path: "Tests/SystemTests/Support", swiftSettings: shared),
        .target(
            name: "FakeBlueZ", dependencies: ["DBus", "Measurements", "DaemonHarness"],
            path: "Tests/FakeBlueZ", swiftSettings: shared),
        .testTarget(
            name: "HealthctlTests",
            dependencies: [
                "healthctl", "Captures", "ControlProtocol", "Imports", "JSON", "Measurements",
            ],
            swiftSettings: shared),
        .testTarget(
            name: "SystemTests",
            dependencies: ["DaemonHarness", "FakeBlueZ", "DBus", "healthd", "healthctl"],
            exclude: ["Support", "HealthKit"], swiftSettings: shared),
        .testTarget(
            name: "ReplayTests",
            dependencies: ["DaemonHarness", "healthd", "healthctl", "gattlog-generator"],
            exclude: ["Recordings"], swiftSettings: shared),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Only `make fuzz` asks for the fuzzer: nothing else can link it.
if Context.environment["HEALTHD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzzer",
            dependencies: [
                "Measurements", "Samples", "JSON", "Captures", "DBus", "BlueZ", "Storage",
                "ControlProtocol", "Imports", "HealthDaemon",
            ],
            path: "Tests/Fuzz",
            exclude: [
                "Found", "blocks.py", "bus.py", "files.py", "fuzz.py", "large.py", "seeds.py",
            ],
            swiftSettings: shared))
}
