import CallerEvidence
import Foundation
import Glibc
import KeychainSockets
import ProcessWitness
import Secrets

/// The evidence of this very process, which is every client: taken once.
final class EvidenceOfTests: EvidenceSource {
    private let source: any EvidenceSource
    private let known = AdaptiveMutex<Evidence?>(nil)

    /// - Parameter usesWitness: Whether the witness looks, as for the daemon of all accounts. Only
    ///   root can start one.
    /// - Throws: what keeps the witness from starting.
    init(usesWitness: Bool) throws {
        guard usesWitness, geteuid() == 0 else {
            source = LocalEvidenceSource()
            return
        }
        let tests = URL(filePath: CommandLine.arguments[0])
        let witness = tests.deletingLastPathComponent().appending(path: "keychain-witness").path
        source = try WitnessEvidenceSource.spawn(program: witness)
    }

    var clientGroup: UInt32? { source.clientGroup }

    func evidence(of peer: PeerIdentity, process: Int32) throws(EvidenceError) -> Evidence {
        guard peer.processID == getpid() else { throw .ended }
        if let known = known.withLock({ $0 }) { return known }
        let found = try source.evidence(of: peer, process: process)
        known.withLock { $0 = found }
        return found
    }
}
