import Foundation

/// Archives that another program writes: Python's zipfile.
enum ZipWriter {
    struct Failure: Error {}

    /// An archive with the document between other files.
    ///
    /// `options` may hold `stored` (not compressed), `streamed` (sizes behind the entries) and `zip64`.
    static func archive(of document: String, _ options: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, options]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(document.utf8))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
        return Array(data)
    }

    private static let script = """
        import io, sys, zipfile
        document, options = sys.stdin.buffer.read(), sys.argv[1].split()
        class Pipe(io.RawIOBase):
            def writable(self): return True
            def write(self, octets): return plain.write(octets)
        plain = io.BytesIO()
        kind = zipfile.ZIP_STORED if 'stored' in options else zipfile.ZIP_DEFLATED
        target = Pipe() if 'streamed' in options else plain
        with zipfile.ZipFile(target, 'w', kind) as archive:
            files = [('export_cda.xml', b'<?xml version="1.0"?>\\n<ClinicalDocument/>'),
                     ('workout-routes/a.gpx', b'<gpx/>' * 1000), ('書き出し.xml', document),
                     ('more.gpx', b'<gpx/>')]
            for name, octets in files:
                info = zipfile.ZipInfo('apple_health_export/' + name)
                info.compress_type = kind
                with archive.open(info, 'w', force_zip64='zip64' in options) as entry:
                    entry.write(octets)
        sys.stdout.buffer.write(plain.getvalue())
        """
}
