import Foundation

/// An export of Apple Health as an iPhone writes it, with records of a test's choice.
enum HealthFile {
    /// The name of a type as HealthKit has it.
    static func type(_ name: String) -> String { "HKQuantityTypeIdentifier\(name)" }

    /// A record; `device` is what stands behind the object's place in memory.
    static func record(
        _ type: String, _ value: String, _ unit: String, from start: String,
        to end: String? = nil, source: String = "Watch", device: String? = nil, pointer: Int = 1
    ) -> String {
        let object = device.map {
            " device=\"&lt;&lt;HKDevice: 0x28\(pointer)&gt;, \($0)&gt;\""
        }
        return """
             <Record type="\(HealthFile.type(type))" sourceName="\(source)" sourceVersion="6.1"\
            \(object ?? "") unit="\(unit)" creationDate="\(start)" startDate="\(start)" \
            endDate="\(end ?? start)" value="\(value)"/>
            """
    }

    /// The whole document, with the document type that iOS 16 writes, which is no XML.
    static func document(_ records: [String], type: String = doctype) -> String {
        let head =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(type)<HealthData locale=\"ja_JP\">\n"
        let me = " <ExportDate value=\"2021-01-02 10:00:00 +0900\"/>\n <Me/>\n"
        return head + me + records.joined(separator: "\n") + "\n</HealthData>\n"
    }

    /// The document type, shortened.
    static let doctype = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 12 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
        <!ATTLIST Record
          type          CDATA #REQUIRED
        >
        <!ATTLIST WorkoutEvent
          duration CDATA #IMPLIED device CDATA #IMPLIED <!ATTLIST
        ]>

        """
}
