import Cryptography
import KeychainSync
import SyncRelay

// A pass of synchronization: its phases in their order.
//
// Source: Documentation/Spec/sync.md §7.
extension SyncDevice {
    /// The most attempts of a pass; it starts again if the keychain changes meanwhile.
    private static let attemptLimit = 16

    /// Exchanges changes: reads the entries of the others, and writes the changes that they lack.
    ///
    /// - Throws: `notJoined`; `removed`; `rolledBack`; `errSecInteractionNotAllowed` while the
    ///   keychain is locked; errors of the relay. Transactions before the error stay.
    package mutating func pass(through relay: some Relay) throws(SyncFailure) -> SyncReport {
        var report = SyncReport()
        // A change of the passcode replaces the handles of keys that an earlier build made.
        if let present = try keychain.signer() { signer = present }
        let (state, signer) = try joined()
        report.isOn = state.membership.isOn
        guard report.isOn else { return report }
        let phase = state.membership.phase
        if phase == .requested { try flush(to: relay) }
        if phase != .member {
            // A removed device may still be a member: the relay may have withheld links.
            report.isMember = try lookForApproval(signer, relay, &report)
            guard report.isMember || phase == .requested else { throw .removed }
            guard report.isMember else { return report }
        }
        try followProfile()
        var isDone = false
        for _ in 0..<Self.attemptLimit where !isDone {
            guard let scanned = try scan(relay) else { continue }
            let linked = try scanned.link(self, signer, &report)
            let read = try linked.read(self, &report)
            guard let stored = try read.store(&self, &report) else { continue }
            isDone = try stored.write(&self, &report)
        }
        report.mark = isDone ? scannedMark : nil
        return report
    }

    /// Looks for a link that adds this device, and makes it a member if there is one.
    private mutating func lookForApproval(
        _ signer: any PeerSigner,
        _ relay: some Relay,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Bool {
        var (state, _) = try joined()
        _ = try state.readLinks(relay, &report)
        let name = try fromFormat(try signer.name())
        guard state.machine.circle?.members[name] != nil else {
            self.state = state
            return false
        }
        state.membership.phase = .member
        _ = try state.findKeys(signer, relay)
        let records = try state.chainRecords() + [try state.membershipRecord()]
        return try commit(state, [], state.takeChanges(), records)
    }

    /// Plans to read all streams again if the exchanged classes changed, as after a system update.
    private mutating func followProfile() throws(SyncFailure) {
        guard var state else { return }
        let classes = keychain.exchangedClasses
        guard classes != state.membership.classes else { return }
        state.membership.classes = classes
        let changes = state.machine.readEverythingAgain()
        _ = try commit(state, [], changes, [try state.membershipRecord()])
    }
}
