internal import Samples

extension Modality {
    /// A small number for each modality; stored, so that it never changes.
    var place: Int {
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
    /// A small number for each quality, for sets in one word.
    var place: Int {
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
