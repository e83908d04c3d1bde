/// Types and modalities as bits, since every value of every packet is asked for them.
package struct SampleChoice: Sendable {
    private let types: Int
    private let modalities: Int

    /// Samples of these types that were measured in these ways.
    package init(types: Set<SampleType>, modalities: Set<Modality>) {
        self.types = types.reduce(0) { $0 | 1 << $1.place }
        self.modalities = modalities.reduce(0) { $0 | 1 << $1.place }
    }

    /// Every sample.
    package static let all = SampleChoice(
        types: Set(SampleType.allCases), modalities: Set(Modality.allCases))

    /// Whether a sample of this kind is wanted.
    package func contains(_ type: SampleType, _ modality: Modality) -> Bool {
        types & 1 << type.place != 0 && modalities & 1 << modality.place != 0
    }
}

/// Qualities as bits, since every sample is asked for its own.
package struct QualityChoice: Sendable {
    private let qualities: Int

    /// Samples of these qualities.
    package init(_ qualities: Set<Quality>) {
        self.qualities = qualities.reduce(0) { $0 | 1 << $1.place }
    }

    /// Whether a sample of this quality is wanted.
    package func contains(_ quality: Quality) -> Bool { qualities & 1 << quality.place != 0 }
}

extension Modality {
    /// A small number for each modality; stores keep it, so that it never changes.
    package var place: Int {
        switch self {
        case .spot: 0
        case .continuous: 1
        case .fast: 2
        case .slow: 3
        case .intermediate: 4
        case .final: 5
        case .strap: 6
        case .imported: 7
        }
    }
}

extension Quality {
    fileprivate var place: Int {
        switch self {
        case .ok: 0
        case .questionable: 1
        case .outOfRange: 2
        case .invalid: 3
        case .demo: 4
        case .absent: 5
        }
    }
}
