import Cryptography
import KeychainSync
import SyncRelay

// A pass of synchronization: its phases in their order.
//
// Source: Documentation/Spec/sync.md §7.
extension SyncDevice {
    /// How often a pass begins again because somebody changed the keychain meanwhile.
    private static let attemptLimit = 16

    /// Reads what the others wrote, changes the keychain, and writes what they lack.
    ///
    /// - Throws: `notJoined`; `errSecInteractionNotAllowed` while the keychain is locked; what the
    ///   relay throws. What was done before stays done.
    package mutating func pass(through relay: some Relay) throws(SyncFailure) -> SyncReport {
        var report = SyncReport()
        // A change of the passcode gives keys that an earlier build made other handles.
        if let present = try keychain.signer() { signer = present }
        let (state, signer) = try joined()
        report.isOn = state.membership.isOn
        guard report.isOn else { return report }
        let phase = state.membership.phase
        if phase == .requested { try flush(to: relay) }
        if phase != .member {
            // Who was removed may be in the circle after all: the relay may have hidden links.
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

    /// Looks for a link that lets this device in.
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

    /// After an update of the system other classes may be exchanged: reads all streams again.
    private mutating func followProfile() throws(SyncFailure) {
        guard var state else { return }
        let classes = keychain.exchangedClasses
        guard classes != state.membership.classes else { return }
        state.membership.classes = classes
        let changes = state.machine.readEverythingAgain()
        _ = try commit(state, [], changes, [try state.membershipRecord()])
    }
}
