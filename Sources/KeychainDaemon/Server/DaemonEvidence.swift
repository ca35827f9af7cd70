import CallerEvidence
import Glibc
import KeychainModel
import KeychainSockets
import ProcessWitness

/// Looks at a process by its executable alone.
struct PlainEvidenceSource: EvidenceSource {
    func evidence(
        of peer: PeerIdentity,
        process: Int32
    ) throws(EvidenceError) -> Evidence {
        var evidence = Evidence(userID: peer.userID, processID: peer.processID)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(peer.processID)/exe", &buffer, buffer.count)
        guard count > 0 else { return evidence }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        evidence.executable = ExecutableEvidence(
            path: path,
            device: 0,
            inode: 0,
            digest: nil,
            isRootOwned: false,
            hasClientGroup: false,
            isReplaceable: false,
            isPresent: true
        )
        return evidence
    }
}
