import Captures
import JSON
import Measurements

/// What a capture came to, for a person or a program.
struct CaptureReport {
    private let name: String
    private let format: CaptureFormat
    private let account: CaptureAccount
    private let remarks: [String]

    /// The report on the file of this name.
    init(
        name: String, format: CaptureFormat, _ account: CaptureAccount, _ remarks: [String]
    ) {
        self.name = name
        self.format = format
        self.account = account
        self.remarks = remarks
    }

    /// Lines for a person: the counts, and what can be done about what is missing.
    var lines: [String] { [counts] + hints.map { "\(name): \($0)" } }

    private var counts: String {
        let parts = [
            "\(format.title), \(count(account.records, "record")), \(count(account.links, "link"))",
            "\(count(account.attOperations, "ATT operation")): \(count(account.events, "event"))",
            readings, part(account.others, "other value"),
        ]
        return "\(name): " + (parts + losses).compactMap(\.self).joined(separator: "; ")
    }

    private var readings: String {
        let types = account.readings.map { "\(grouped($0.count)) \(title($0.characteristic))" }
        let list = types.isEmpty ? "" : " (\(types.joined(separator: ", ")))"
        return count(account.readingCount, "reading") + list
    }

    private func title(_ characteristic: BluetoothUUID) -> String {
        DecodableName(characteristic)?.title ?? characteristic.description
    }

    /// What could not be read, or not be trusted.
    private var losses: [String?] {
        [
            part(
                account.droppedRecords, "record lost by the recorder",
                "records lost by the recorder"),
            part(account.cutRecords, "record cut by the recorder", "records cut by the recorder"),
            part(account.badChecksums, "bad CRC", "bad CRCs"),
            part(account.encrypted, "encrypted packet"),
            part(account.retransmissions, "retransmission"),
            part(
                account.brokenPackets, "packet with a fragment missing",
                "packets with fragments missing"),
            part(account.malformed, "malformed packet"),
            part(account.unpaired, "answer without its request", "answers without their requests"),
            part(account.unconfirmed, "indication not confirmed", "indications not confirmed"),
            part(account.beyondLimits, "beyond the limits", "beyond the limits"),
            part(account.clockFaults, "strange time"),
        ]
            + account.unsupported.sorted { $0.key.number < $1.key.number }.map {
                "\(count($0.value, "packet")) of link type \($0.key.number)"
            }
    }

    private func part(_ number: Int, _ one: String, _ many: String? = nil) -> String? {
        number == 0 ? nil : count(number, one, many)
    }

    private var hints: [String] {
        let handles = account.unmapped.map {
            "\($0.device): \(count($0.count, "value")) of handle \(hex($0.handle)), of which the "
                + "capture does not tell what it is; --map \(hex($0.handle))=UUID does"
        }
        guard account.operationsOfUnknownDevices > 0 else { return handles }
        return handles + [
            "\(count(account.operationsOfUnknownDevices, "operation")) on links that had begun before "
                + "the capture; --device ADDRESS tells whose they are"
        ]
    }
}

extension CaptureReport {
    /// One JSON object for a program.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("class", "capture")
            json.member("file", name)
            json.member("format", format.title)
            writeCounts(to: &json)
            json.object("readings") { json in
                for one in account.readings {
                    json.member(one.characteristic.description, one.count)
                }
            }
            json.object("unsupported") { json in
                for (link, count) in account.unsupported.sorted(by: {
                    $0.key.number < $1.key.number
                }) { json.member(String(link.number), count) }
            }
            json.array("unmapped") { json in
                for one in account.unmapped { write(one, to: &json) }
            }
            json.member("remarks", remarks)
        }
    }

    private func write(_ handle: CaptureAccount.UnmappedHandle, to json: inout JSONWriter) {
        json.object { json in
            json.member("device", handle.device.description)
            json.member("handle", hex(handle.handle))
            json.member("count", handle.count)
        }
    }

    private func writeCounts(to json: inout JSONWriter) {
        json.member("records", account.records)
        json.member("links", account.links)
        json.member("attOperations", account.attOperations)
        json.member("events", account.events)
        json.member("others", account.others)
        json.member("operationsOfUnknownDevices", account.operationsOfUnknownDevices)
        json.member("droppedRecords", account.droppedRecords)
        json.member("cutRecords", account.cutRecords)
        json.member("badChecksums", account.badChecksums)
        json.member("encrypted", account.encrypted)
        json.member("retransmissions", account.retransmissions)
        json.member("brokenPackets", account.brokenPackets)
        json.member("malformed", account.malformed)
        json.member("unpaired", account.unpaired)
        json.member("unconfirmed", account.unconfirmed)
        json.member("beyondLimits", account.beyondLimits)
        json.member("clockFaults", account.clockFaults)
    }
}
