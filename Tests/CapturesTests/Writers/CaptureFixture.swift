import Foundation
import Measurements
import Testing

/// A capture of the scene in one format and with one link type.
struct CaptureFixture: CustomTestStringConvertible, Sendable {
    /// The name of its file.
    let name: String
    /// Whether it tells the adapter.
    var hasAdapter = false
    /// Whether it tells the strength of advertisements.
    var hasStrength = true
    /// What it is made of.
    let octets: @Sendable (Scene) -> [UInt8]

    var testDescription: String { name }

    /// All that are shipped.
    static let all: [CaptureFixture] = hci + air + others

    private static let hci: [CaptureFixture] = [
        CaptureFixture(name: "h1-1001.btsnoop") { scene in
            BtsnoopWriter.file(h1(HCIWriter.packets(scene)), datalink: 1001)
        },
        CaptureFixture(name: "h4-1002.btsnoop") { scene in
            let writer = HCIWriter(version: .enhanced, fragment: 9, sentFragment: 3)
            return BtsnoopWriter.file(h4(HCIWriter.packets(scene, writer)), datalink: 1002)
        },
        CaptureFixture(name: "monitor-2001.btsnoop", hasAdapter: true) { scene in
            let writer = HCIWriter(version: .enhanced2)
            return BtsnoopWriter.file(monitor(HCIWriter.packets(scene, writer)), datalink: 2001)
        },
        CaptureFixture(name: "h4-187.pcap") { scene in
            let writer = HCIWriter(fragment: 5, sentFragment: 7)
            return PcapWriter.file(h4(HCIWriter.packets(scene, writer)), link: 187)
        },
        CaptureFixture(name: "h4-201-big-nano.pcap") { scene in
            PcapWriter.file(
                directed(HCIWriter.packets(scene)), link: 201, isBig: true, isNano: true)
        },
        CaptureFixture(name: "monitor-254-big.pcap", hasAdapter: true) { scene in
            PcapWriter.file(
                monitorWithHeader(HCIWriter.packets(scene)), link: 254, isBig: true)
        },
    ]

    private static let air: [CaptureFixture] = [
        CaptureFixture(name: "air-251.pcap", hasStrength: false) { scene in
            PcapWriter.file(AirWriter.frames(scene).map { $0.plain }, link: 251)
        },
        CaptureFixture(name: "air-256-nano.pcap") { scene in
            PcapWriter.file(AirWriter.frames(scene).map { $0.withHeader }, link: 256, isNano: true)
        },
        CaptureFixture(name: "nordic-272.pcap") { scene in
            PcapWriter.file(
                AirWriter.frames(scene, fragment: 251).map { $0.nordic(version: 3) }, link: 272)
        },
        CaptureFixture(name: "nordic-272-version1-big.pcap") { scene in
            PcapWriter.file(
                AirWriter.frames(scene).map { $0.nordic(version: 1) }, link: 272, isBig: true)
        },
    ]
}

extension CaptureFixture {
    private static let others: [CaptureFixture] = [
        CaptureFixture(name: "h4-187.pcapng") { scene in
            var packets = h4(HCIWriter.packets(scene))
            for place in packets.indices {
                packets[place].direction = packets[place].flags & 1 == 1 ? 1 : 2
            }
            return PcapngWriter.file(packets, [PcapngWriterInterface(link: 187, resolution: 9)])
        },
        CaptureFixture(name: "two-sniffers-big.pcapng") { scene in
            twoSniffers(scene, isBig: true)
        },
        CaptureFixture(name: "monitor-2001.btsnoop.gz", hasAdapter: true) { scene in
            let file = BtsnoopWriter.file(monitor(HCIWriter.packets(scene)), datalink: 2001)
            return GzipWriter.member(Array(file.prefix(1000)))
                + GzipWriter.member(Array(file.dropFirst(1000)))
        },
        CaptureFixture(name: "air-256.pcapng.gz") { scene in
            let interface = PcapngWriterInterface(link: 256, resolution: 0x80 | 20)
            return GzipWriter.member(
                PcapngWriter.file(AirWriter.frames(scene).map { $0.withHeader }, [interface]))
        },
    ]

    /// Link layer packets of two formats, with packets of the wireless LAN between, in one file.
    private static func twoSniffers(_ scene: Scene, isBig: Bool) -> [UInt8] {
        let interfaces = [
            PcapngWriterInterface(link: 105),
            PcapngWriterInterface(link: 256, resolution: 9, offset: 1_000_000_000),
            PcapngWriterInterface(link: 272, resolution: 6, offset: -3600),
        ]
        var packets: [ContainerPacket] = []
        for (place, frame) in AirWriter.frames(scene).enumerated() {
            var packet = place % 3 == 0 ? frame.nordic(version: 2) : frame.withHeader
            packet.interface = place % 3 == 0 ? 2 : 1
            if place % 50 == 0 {
                packets.append(ContainerPacket(octets: [0x80, 0, 0, 0], time: frame.time))
            }
            packets.append(packet)
        }
        return PcapngWriter.file(packets, interfaces, isBig: isBig)
    }
}
