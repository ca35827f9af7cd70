import CallerEvidence
import Glibc
import KeychainSockets

/// Looks at processes with this process's own rights.
///
/// A daemon of one account sees the account's programs, but for those that keep the account away
/// from themselves; of these it knows no executable.
package struct LocalEvidenceSource: EvidenceSource {
    package let clientGroup: UInt32?
    private let inspection: ProcessInspection
    private let digests = ExecutableDigests()

    /// - Parameter clientGroup: The group of protected programs; nil where there is none.
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
    /// The evidence with the digest of the executable.
    func completed(_ finding: consuming ProcessInspection.Finding) -> Evidence {
        var evidence = finding.evidence
        switch finding.content {
        case .some(let content): evidence.executable?.digest = digest(of: content)
        case .none: break
        }
        return evidence
    }
}

/// The group whose programs nobody of their account can trace.
package enum ClientGroup {
    /// Its name on every machine.
    package static let name = "keychain-client"

    /// Its number; nil on a machine that has no such group.
    package static var number: UInt32? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var texts = [CChar](repeating: 0, count: 1 << 16)
        guard getgrnam_r(name, &entry, &texts, texts.count, &found) == 0 else { return nil }
        return found?.pointee.gr_gid
    }
}
