internal import ControlProtocol
internal import JSON

/// Finds the XML in an archive of Apple Health, whatever it is called there, and reads it.
///
/// A phone names the file in its own language. Its folder also has a clinical document, which is
/// told apart by its root element.
struct HealthArchive: ~Copyable {
    private var reader = ZipReader()
    private var part = Part.skipped
    private var wasFound = false

    /// What is done with the present entry.
    private enum Part {
        case skipped
        case read
    }

    /// Takes in the next octets of the file.
    mutating func feed(_ octets: [UInt8]) { reader.feed(octets) }

    /// Reads the next part of the archive; true if there may be more in what was fed.
    ///
    /// - Throws: `ImportDamage` if it cannot be read any further.
    mutating func read(
        into json: inout JSONWriter, _ health: inout HealthExport
    ) throws(ImportDamage) -> Bool {
        guard !wasFound, let item = try reader.next() else { return false }
        switch item {
        case .begin(let name):
            part = name.lowercased().hasSuffix(".xml") ? .read : .skipped
            if part == .read { health = HealthExport() }
        case .octets(let octets):
            guard part == .read else { return true }
            health.read(octets, isEnd: false, into: &json)
            if health.isForeign { part = .skipped }
            if let damage = health.damage { throw ImportDamage(damage) }
        case .end(let isDamaged):
            try end(isDamaged, into: &json, &health)
        case .endOfArchive:
            throw ImportDamage("it holds no export of Apple Health")
        }
        return true
    }

    private mutating func end(
        _ isDamaged: Bool, into json: inout JSONWriter, _ health: inout HealthExport
    ) throws(ImportDamage) {
        guard part == .read else { return }
        part = .skipped
        health.read([], isEnd: true, into: &json)
        guard !health.isForeign else { return }
        wasFound = true
        if let damage = health.damage { throw ImportDamage(damage) }
        if isDamaged {
            throw ImportDamage(
                "its checksum is wrong: some of what was taken may not be what was exported")
        }
    }

    /// Why the archive is not whole, once no more octets come; nil if it is.
    var cut: String? { wasFound ? nil : "the archive ends too early" }
}
