import CallerEvidence
import KeychainModel

@testable import KeychainDaemon
@testable import ProcessWitness

extension FuzzTarget {
    /// A question to the witness or its answer, as the other side reads it.
    ///
    /// Both are written as they were read, byte for byte.
    static let witnessMessage = FuzzTarget(name: "witness-message") { bytes throws(BrokenLaw) in
        if let question = WitnessQuestion(bytes) {
            try require(question.bytes == bytes, "a question is written as it was read")
            return .accepted
        }
        guard let answer = WitnessAnswer(bytes) else { return .refused }
        try require(answer.bytes == bytes, "an answer is written as it was read")
        return .accepted
    }

    /// A file of policies.
    ///
    /// Whatever is read names a program, and gives whole groups to it.
    static let programPolicy = FuzzTarget(name: "program-policy") { bytes throws(BrokenLaw) in
        let policies: [ProgramPolicy]
        do throws(PolicyError) {
            policies = try PolicyFile.parse(bytes, path: "/etc/policy.json")
        } catch {
            try require(!error.reason.isEmpty, "a refusal has a reason")
            return .refused
        }
        for policy in policies {
            try require(!policy.selector.value.isEmpty, "a policy names its program")
            try require(policy.groups.allSatisfy { !$0.isEmpty && !$0.contains("*") }, "no stars")
        }
        return .accepted
    }

    /// The grants of an account, after they were opened.
    ///
    /// They are written as they were read, byte for byte.
    static let accessGrants = FuzzTarget(name: "access-grants") { bytes throws(BrokenLaw) in
        guard let grants = GrantList(bytes) else { return .refused }
        try require(grants.bytes == bytes, "grants are written as they were read")
        return .accepted
    }

    /// What the kernel tells of a process: the first byte says which file it is.
    ///
    /// Parts of these texts are chosen by the process that is looked at.
    static let processFile = FuzzTarget(name: "process-file") { bytes throws(BrokenLaw) in
        guard let kind = bytes.first else { return .refused }
        let text = [UInt8](bytes.dropFirst())
        switch kind {
        case UInt8(ascii: "s"): return ProcessStatus(text) == nil ? .refused : .accepted
        case UInt8(ascii: "m"):
            let found = CodeMapping.all(in: text, limit: 8)
            try require(found.map { $0.count <= 8 } ?? true, "no more than the limit")
            return found?.isEmpty == false ? .accepted : .refused
        case UInt8(ascii: "g"): return ControlGroup.systemUnit(text) == nil ? .refused : .accepted
        case UInt8(ascii: "f"):
            return FlatpakApplication.name(info: text) == nil ? .refused : .accepted
        case UInt8(ascii: "i"):
            return FlatpakApplication.name(mounts: MountTable(text)) == nil ? .refused : .accepted
        case UInt8(ascii: "l"): return SecurityLabel.confinement(text) == nil ? .refused : .accepted
        default: return .refused
        }
    }
}
