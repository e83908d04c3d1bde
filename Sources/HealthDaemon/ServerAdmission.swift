internal import CLinux
internal import ControlProtocol
internal import Glibc
internal import Samples

extension Server {
    /// Takes in whoever waits at the socket.
    func accept() {
        while true {
            let descriptor = clinux_accept(socket.descriptor)
            if descriptor < 0 {
                // Without descriptors the waiting client would wake poll for ever.
                if errno == EMFILE || errno == ENFILE { acceptAgain = .now.advanced(by: 100) }
                return
            }
            admit(descriptor)
        }
    }

    private func admit(_ descriptor: Int32) {
        var peer = clinux_peer()
        guard clinux_peer_of(descriptor, &peer) == 0 else {
            close(descriptor)
            return
        }
        let peerGroups = Server.groups(of: descriptor, primary: peer.gid)
        let connection = Connection(
            nextID, descriptor: descriptor, peer: Peer(uid: peer.uid, groups: peerGroups))
        nextID += 1
        let ofUser = connections.values.count { $0.peer.uid == peer.uid }
        guard connections.count < Self.connectionLimit, ofUser < Self.connectionLimitPerUser else {
            counters.refused += 1
            connection.send(line: Reply.failure(tag: nil, Self.tooMany(ofUser)))
            connection.flush()
            return
        }
        connections[connection.id] = connection
        connection.send(line: greeting)
        connection.flush()
    }

    /// The line that a connection begins with.
    var greeting: String {
        Reply.greeting(
            server: facts.server, epoch: writer.epoch, newest: writer.committedSeq,
            zone: facts.zone.name)
    }

    /// The groups of a peer; only the primary one where the kernel does not tell more.
    private static func groups(of descriptor: Int32, primary: UInt32) -> Set<UInt32> {
        var groups = [UInt32](repeating: 0, count: groupLimit)
        let count = clinux_peer_groups(descriptor, &groups, Int32(groupLimit))
        return Set(count > 0 ? groups[..<Int(count)] : []).union([primary])
    }

    /// Groups a peer is looked up in: NGROUPS_MAX is 65,536, and no person is in as many.
    private static let groupLimit = 1024

    private static func tooMany(_ ofUser: Int) -> ProtocolError {
        let limit = ofUser < connectionLimitPerUser ? connectionLimit : connectionLimitPerUser
        let whose = ofUser < connectionLimitPerUser ? "in all" : "for one user"
        return ProtocolError(
            .tooManyConnections, "there are \(limit) connections \(whose); close one, or wait")
    }
}
