import CallerEvidence
import KeychainSockets

/// A source of evidence of processes: this process, or the witness.
package protocol EvidenceSource: Sendable {
    /// The group of protected programs; nil if there is none.
    var clientGroup: UInt32? { get }

    /// Collects the evidence of a process.
    ///
    /// - Parameters:
    ///   - peer: The sender of a message, by the kernel.
    ///   - process: A descriptor of that very process (pidfd), which can never mean another one.
    /// - Returns: The evidence; none for a process that ended meanwhile.
    /// - Throws: `EvidenceError`.
    func evidence(of peer: PeerIdentity, process: Int32) throws(EvidenceError) -> Evidence
}

/// The reason why there is no evidence.
package enum EvidenceError: Error, Sendable, Hashable {
    /// The process has ended.
    case ended
    /// The witness does not answer.
    case unanswered
    /// The kernel refused, with the operation and its error number.
    case refused(operation: String, code: Int32)
}
