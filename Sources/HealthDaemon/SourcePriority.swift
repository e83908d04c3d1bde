internal import Measurements
internal import Storage

/// Which sources' amounts count where several have counted the same, as the configuration orders them.
struct SourcePriority: Equatable, Sendable {
    private let names: [String]

    /// Sources that can be named: more than a household has, and each is compared with all devices.
    static let mostNames = 64

    /// The order of a configuration; none where it gives none.
    init(_ configuration: Configuration) {
        names = configuration.sourcePriority
    }

    /// The numbers of the devices that are named, the most preferred first.
    func order(of devices: [Device], _ sensors: SensorNames) -> [Int64] {
        names.flatMap { name in
            let address = DeviceAddress(name)?.description ?? name
            return devices.filter {
                $0.address == address || $0.name == name || sensors.name(of: $0) == name
            }.map(\.id)
        }
    }

    /// The names that a value of the configuration lists; nil if it is no such list.
    static func names(in value: String) -> [String]? {
        let names = value.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.trimmed)
        }
        let isList = names.count <= mostNames && names.allSatisfy { !$0.isEmpty }
        return isList && Set(names).count == names.count ? names : nil
    }
}
