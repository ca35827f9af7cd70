import CallerEvidence
import Glibc
import KeychainSockets

/// A source of evidence with this process's own rights.
///
/// A daemon of one account sees the account's programs. It learns no executable of programs that
/// keep the account away.
package struct LocalEvidenceSource: EvidenceSource {
    package let clientGroup: UInt32?
    private let inspection: ProcessInspection
    private let digests = ExecutableDigests()

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
    /// Returns the evidence with the digest of the executable.
    func completed(_ finding: consuming ProcessInspection.Finding) -> Evidence {
        var evidence = finding.evidence
        switch finding.content {
        case .some(let content): evidence.executable?.digest = digest(of: content)
        case .none: break
        }
        return evidence
    }
}

/// The group whose programs no other program of their account can trace.
package enum ClientGroup {
    /// Its name on every machine.
    package static let name = "keychain-client"

    /// Its number; nil on a machine without such a group.
    package static var number: UInt32? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var texts = [CChar](repeating: 0, count: 1 << 16)
        guard getgrnam_r(name, &entry, &texts, texts.count, &found) == 0 else { return nil }
        return found?.pointee.gr_gid
    }
}
