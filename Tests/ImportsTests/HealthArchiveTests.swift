import Imports
import Testing

/// Archives that Python's zipfile writes, with the export among other files.
@Suite struct HealthArchiveTests {
    private static let records = (0..<300).map {
        HealthFile.record(
            "HeartRate", "\(40 + $0 % 100)", "count/min",
            from: "2020-12-01 09:0\($0 / 60 % 10):\($0 % 60 < 10 ? "0" : "")\($0 % 60) +0900")
    }
    private static let document = HealthFile.document(records)

    private func archive(_ options: String) throws -> [UInt8] {
        try ZipWriter.archive(of: Self.document, options)
    }

    @Test(arguments: ["", "stored", "streamed", "zip64"])
    func theExportIsFoundAmongOtherFiles(options: String) throws {
        let octets = try archive(options)
        for size in [1, 1000, .max] {
            let conversion = Conversion(octets, pieces: size)
            #expect(conversion.damage == nil)
            #expect(conversion.lines == Conversion(Self.document).lines)
        }
    }

    @Test func anArchiveThatIsCutGivesWhatCameBefore() throws {
        let octets = try archive("")
        let whole = Conversion(octets).lines
        var counts: Set<Int> = []
        for count in stride(from: 4, to: octets.count * 9 / 10, by: 97) {
            let conversion = Conversion(Array(octets.prefix(count)))
            guard conversion.damage == nil else {
                #expect(conversion.damage == "the archive ends too early")
                #expect(whole.starts(with: conversion.lines))
                counts.insert(conversion.lines.count)
                continue
            }
            #expect(conversion.lines == whole)  // only the directory behind the export is cut
        }
        #expect(counts.count > 2)
    }

    @Test func anOctetThatWasChangedIsNoticed() throws {
        let octets = try archive("")
        let whole = Conversion(octets)
        var noticed = 0
        let middle = octets.count / 2
        for place in middle..<middle + 200 {
            var damaged = octets
            damaged[place] ^= 1
            let conversion = Conversion(damaged)
            if conversion.damage != nil { noticed += 1 }
            #expect(conversion.damage != nil || conversion.lines == whole.lines)
        }
        #expect(noticed > 100)
    }

    /// Compressed data that are damaged give what they give before, also where all came at once.
    @Test func whatCameBeforeADamageIsTakenWhateverThePieces() throws {
        let octets = try archive("")
        let middle = octets.count / 2
        var some = 0
        for place in stride(from: middle, to: middle + 200, by: 5) {
            var damaged = octets
            damaged[place] ^= 0x55
            let (whole, pieces) = (Conversion(damaged), Conversion(damaged, pieces: 12))
            #expect(whole.lines == pieces.lines)
            #expect(whole.damage == pieces.damage)
            #expect(whole.taken == pieces.taken)
            some += whole.damage != nil && whole.lines.count > 10 ? 1 : 0
        }
        #expect(some > 10)
    }

    @Test func anArchiveWithoutTheExportIsSaid() throws {
        let octets = try ZipWriter.archive(of: "<a/>", "")
        #expect(Conversion(octets).damage == "it holds no export of Apple Health")
    }

    @Test func whatIsEncryptedIsSaid() throws {
        var octets = try archive("")
        octets[6] |= 1
        #expect(Conversion(octets).damage?.hasSuffix("is encrypted") == true)
    }

    @Test func anEntryWithoutASizeIsSaid() throws {
        let conversion = Conversion(try archive("stored streamed"))
        #expect(conversion.damage?.hasSuffix("unpack the archive first") == true)
    }
}
