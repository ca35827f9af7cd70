import CallerEvidence
import KeychainSockets

/// A source of evidence about processes: this process, or the witness.
package protocol EvidenceSource: Sendable {
    /// The group of protected programs; nil if there is none.
    var clientGroup: UInt32? { get }

    /// Returns the evidence about a process.
    ///
    /// - Parameters:
    ///   - peer: The sender of a message, from the kernel.
    ///   - process: A descriptor of the same process (pidfd), which cannot refer to another one.
    /// - Returns: The evidence; a process that ended meanwhile has none.
    /// - Throws: `EvidenceError` if there is no evidence.
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
