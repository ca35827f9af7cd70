import CallerEvidence
import Glibc
import KeychainSockets

/// A source that inspects processes with this process's own rights.
///
/// A daemon of one account sees the account's programs, except those that hide from the account. Of
/// these it does not know the executable.
package struct LocalEvidenceSource: EvidenceSource {
    package let clientGroup: UInt32?
    private let inspection: ProcessInspection
    private let digests = ExecutableDigests()

    /// Makes a source.
    ///
    /// - Parameter clientGroup: The group of protected programs; nil if there is none.
    package init(clientGroup: UInt32? = ClientGroup.number) {
        self.clientGroup = clientGroup
        inspection = ProcessInspection(clientGroup: clientGroup)
    }

    package func evidence(
        of peer: PeerIdentity,
        process: Int32
    ) throws(EvidenceError) -> Evidence {
        let finding = try inspection.inspect(userID: peer.userID, process: process)
        guard finding.evidence.processID == peer.processID else { throw .ended }
        return digests.completed(finding)
    }
}

extension ExecutableDigests {
    /// Returns the evidence with the executable's digest.
    func completed(_ finding: consuming ProcessInspection.Finding) -> Evidence {
        var evidence = finding.evidence
        switch finding.content {
        case .some(let content): evidence.executable?.digest = digest(of: content)
        case .none: break
        }
        return evidence
    }
}

/// The group of programs that their account cannot trace.
package enum ClientGroup {
    /// The name of the group on every machine.
    package static let name = "keychain-client"

    /// The number of the group; nil if the machine has no such group.
    package static var number: UInt32? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var texts = [CChar](repeating: 0, count: 1 << 16)
        guard getgrnam_r(name, &entry, &texts, texts.count, &found) == 0 else { return nil }
        return found?.pointee.gr_gid
    }
}
