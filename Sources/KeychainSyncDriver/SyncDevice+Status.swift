import Cryptography
import KeychainSync
import SyncRelay

// Who is in the circle, and who asks to be.
extension SyncDevice {
    /// The devices that ask to join.
    package mutating func requests(
        through relay: some Relay
    ) throws(SyncFailure) -> [PendingRequest] {
        try requests(on: relay).map(\.0)
    }

    mutating func requests(
        on relay: some Relay
    ) throws(SyncFailure) -> [(PendingRequest, PeerKeys)] {
        let (state, machine, _) = try member()
        let listing = try fromRelay(try relay.streams())
        var found: [(PendingRequest, PeerKeys)] = []
        for (peer, range) in listing.sorted(by: { $0.key < $1.key }) {
            guard machine.circle?.mayJoin(peer) ?? false, range.lowerBound == 0 else { continue }
            let shown = try fromRelay(try relay.sound(of: peer, from: 0, byteCountLimit: 1))
            guard let first = shown.first,
                let shown = try? UnverifiedEntry(
                    first,
                    of: state.membership.account,
                    at: EntryPlace(peer, 0),
                    after: .zeros
                ),
                let request = try? JoinRequest(shown, state.membership.code),
                let fingerprint = try? request.fingerprint()
            else { continue }
            let pending = PendingRequest(
                peer: peer,
                deviceName: request.deviceName,
                fingerprint: fingerprint
            )
            found.append((pending, request.keys))
        }
        return found
    }

    /// What a pass would find in the keychain; nothing is recorded.
    ///
    /// - Returns: The machine as it would be, and how many deletions it would note.
    private func looked(
        _ state: SyncState
    ) throws(SyncFailure) -> (machine: SyncMachine?, deletionCount: Int) {
        guard var machine = state.machine, state.membership.phase == .member else {
            return (state.machine, 0)
        }
        var scan = try keychain.scan()
        if scan.damagedCount > 0 { scan.addKnown(machine.memory) }
        let actions = try fromCryptography(try machine.handle(.scanned(scan.items)))
        let deletions = actions.filter { if case .bury = $0 { true } else { false } }
        return (machine, deletions.count)
    }

    /// What there is to say about the circle; nil if the keychain is in none.
    package mutating func status() throws(SyncFailure) -> SyncStatus? {
        try load()
        guard let state, let signer else { return nil }
        let (machine, deletionCount) = try looked(state)
        let own = machine?.memory.peer
        let ranks = machine?.membersByRank ?? []
        var devices: [CircleDevice] = []
        for (peer, member) in machine?.circle?.peers ?? [:] where member.entryCount == nil {
            let digest = try fromCryptography(try member.keys.digest())
            devices.append(
                CircleDevice(
                    peer: peer,
                    deviceName: member.deviceName,
                    fingerprint: SyncCode(digest),
                    entryCount: machine?.memory.streams[peer]?.head.entryCount ?? 0,
                    isThisDevice: peer == own,
                    isForked: machine?.memory.streams[peer]?.isForked ?? false,
                    rank: ranks.firstIndex(of: peer) ?? ranks.count
                )
            )
        }
        let versions = machine?.memory.versions.values
        return SyncStatus(
            membership: state.membership,
            devices: devices.sorted { ($0.deviceName, $0.peer) < ($1.deviceName, $1.peer) },
            itemCount: (versions?.count { !$0.mark.isTombstone && $0.isHeld } ?? 0)
                - deletionCount,
            unpublishedCount: (machine?.unpublished.count ?? 0) + deletionCount,
            outboxCount: state.outbox.count,
            fingerprint: try fingerprint(of: signer)
        )
    }
}
