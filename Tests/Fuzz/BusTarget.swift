import BlueZ
import DBus
import Measurements

/// Takes octets for messages of bluetoothd, one behind the other.
enum BusTarget {
    /// Puts each into the tree of objects, as what it is.
    static func take(_ octets: [UInt8]) {
        var tree = ObjectTree()
        var rest = octets[...]
        while let (message, length) = BusMessage.first(in: rest) {
            apply(message, to: &tree)
            rest = rest.dropFirst(length)
        }
        precondition(tree.adapters.count <= ObjectTree.adapterLimit, "adapters have a limit")
    }

    private static func apply(_ message: BusMessage, to tree: inout ObjectTree) {
        switch message.kind {
        case .signal: _ = tree.apply(message)
        case .reply: if let value = message.body.first { _ = tree.replace(managed: value) }
        case .error: classify(message)
        case .call: break
        }
    }

    private static func classify(_ message: BusMessage) {
        let error = BusError(name: message.errorName ?? "", text: message.body.first?.text ?? "")
        _ = ErrorClass(error, of: .connect)
        _ = ErrorClass.attError(in: error)
    }
}
