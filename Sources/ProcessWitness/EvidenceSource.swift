import CallerEvidence
import KeychainSockets

/// Whoever can look at a process: this process, or the witness.
package protocol EvidenceSource: Sendable {
    /// The group of protected programs; nil where there is none.
    var clientGroup: UInt32? { get }

    /// Takes the evidence of a process.
    ///
    /// - Parameters:
    ///   - peer: Who the kernel says sent a message.
    ///   - process: A descriptor of that very process (pidfd), which cannot mean another one.
    /// - Returns: What was found; a process that ended meanwhile has no evidence.
    /// - Throws: `EvidenceError`.
    func evidence(of peer: PeerIdentity, process: Int32) throws(EvidenceError) -> Evidence
}

/// Why there is no evidence.
package enum EvidenceError: Error, Sendable, Hashable {
    /// The process has ended.
    case ended
    /// The witness does not answer.
    case unanswered
    /// The kernel refused, with the operation and its error number.
    case refused(operation: String, code: Int32)
}
