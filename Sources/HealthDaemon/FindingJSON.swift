internal import BlueZ
internal import JSON
internal import Measurements

extension Finding {
    /// Writes the parts of the finding into an object that is open.
    func write(to json: inout JSONWriter) {
        json.member("level", level.rawValue)
        json.member("code", code)
        json.member("text", text)
        json.member("evidence", evidence)
        json.member("next", nextStep ?? "")
    }
}
