import JSON
import ControlProtocol
import Measurements
import Samples

/// Takes octets for the value of every characteristic there is.
enum CharacteristicTarget {
    /// Decodes them as each, writes what they say, and makes samples of them.
    static func take(_ octets: [UInt8]) {
        for name in DecodableName.allCases { decode(octets, name) }
        for characteristic in MeasurementCharacteristic.allCases {
            let samples = DecodedPacket.samples(of: octets, characteristic)
            precondition(samples.count <= 4 + octets.count / 2, "a sample has octets of its own")
        }
    }

    private static func decode(_ octets: [UInt8], _ name: DecodableName) {
        var json = JSONWriter()
        do throws(MalformedValue) {
            json.value(try CharacteristicValue(name, decoding: octets))
        } catch {
            json.malformed(error)
        }
        json.endLine()
    }
}
