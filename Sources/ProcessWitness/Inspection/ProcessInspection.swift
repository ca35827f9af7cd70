import CallerEvidence
import Glibc
import KeychainSockets

/// An inspection that collects evidence about a process from `/proc`, except the executable's
/// digest.
///
/// The process may be hostile: it can change meanwhile, write anything into names and paths, and
/// end. So everything is read through one open directory and within limits. It counts only if the
/// process was alive, and executed the same program, from start to end.
/// - Source: Documentation/Spec/evidence.md §2.
package struct ProcessInspection: Sendable {
    /// The group of protected programs; nil if the machine has none.
    package let clientGroup: UInt32?

    package init(clientGroup: UInt32?) { self.clientGroup = clientGroup }

    /// The evidence, with the executable opened for reading if this process may read it.
    package struct Finding: ~Copyable {
        package let evidence: Evidence
        package let content: Descriptor?

        package init(evidence: Evidence, content: consuming Descriptor?) {
            self.evidence = evidence
            self.content = content
        }
    }

    /// Inspects a process.
    ///
    /// - Parameters:
    ///   - userID: The account that sent the message, from the kernel.
    ///   - process: A pidfd.
    /// - Returns: The evidence.
    /// - Throws: `EvidenceError.ended` if the process ended, `.refused` if it executes one program
    ///   after the other.
    package func inspect(
        userID: UInt32,
        process: Int32
    ) throws(EvidenceError) -> Finding {
        for _ in 0..<Self.attemptLimit {
            let directory = try ProcessDirectory(of: process)
            let before = try Self.image(directory)
            let look = try ProcessLook(directory, userID: userID, clientGroup: clientGroup)
            var evidence = look.evidence
            let after = try Self.image(directory)
            try ProcessDirectory.requireLife(of: process)
            guard before == after else { continue }
            evidence.image = before
            return Finding(evidence: evidence, content: look.takeContent())
        }
        throw .refused(operation: "exec", code: EAGAIN)
    }

    private static let attemptLimit = 3

    private static func image(_ directory: borrowing ProcessDirectory) throws(EvidenceError)
        -> UInt64
    {
        try directory.read("stat", limit: 4096).map(ProgramImage.number) ?? 0
    }
}

/// One attempt to inspect a process.
private struct ProcessLook: ~Copyable {
    private(set) var evidence: Evidence
    private var content: Descriptor?

    init(
        _ directory: borrowing ProcessDirectory,
        userID: UInt32,
        clientGroup: UInt32?
    ) throws(EvidenceError) {
        evidence = Evidence(userID: userID, processID: directory.processID)
        content = nil
        guard let status = try directory.read("status", limit: 1 << 20).flatMap(ProcessStatus.init)
        else { throw .refused(operation: "read status", code: EPROTO) }
        evidence.hasSeveralAccounts = status.userIDs.contains { $0 != userID }
        evidence.isTraced = try Self.isTraced(directory, status)
        evidence.isInOtherUserNamespace = !Namespace.isShared(directory, .user)
        evidence.systemUnit = try? directory.read("cgroup", limit: 1 << 16)
            .flatMap(ControlGroup.systemUnit)

        let account = AccountRights(userID: userID, groups: status.groups)
        guard let walk = PathWalk(from: "/", account: account) else { return }
        switch Sandbox.of(directory, hostRoot: walk.rootIdentity) {
        case .none: evidence.confinement = Sandbox.label(of: directory)
        case .flatpak(let name): evidence.confinement = .flatpak(name)
        // An unreadable root may be a sandbox, whose program must not have the account's rights.
        case .hidden: evidence.isInOtherUserNamespace = true
        }

        let group = clientGroup
        guard let executable = ExecutableLook(directory, walking: walk, clientGroup: group) else {
            return
        }
        evidence.executable = executable.evidence
        evidence.isExecutedSecurely =
            executable.evidence.hasClientGroup && !evidence.isInOtherUserNamespace
            && !evidence.hasSeveralAccounts && Self.hasRaised(status, to: group)
            && Self.isClosed(directory, userID: userID)
        evidence.foreignMappings = CodeLook(
            account: account,
            executable: executable,
            demandsRoot: evidence.isExecutedSecurely,
            sharesMounts: Namespace.sharesMounts(directory)
        ).foreignMappings(of: directory, walking: walk)
        content = executable.takeContent()
    }

    consuming func takeContent() -> Descriptor? { content }

    /// Whether the process got its group from the set-group-ID bit of a file.
    ///
    /// It did not if it was started with that group as its real one: the kernel then raised
    /// nothing, so the loader trusted the account's environment.
    private static func hasRaised(_ status: ProcessStatus, to group: UInt32?) -> Bool {
        guard let group else { return false }
        let groups = status.groupIDs
        return groups[0] != group && groups[1] == group && groups[2] == group
    }

    /// Whether the kernel keeps the account away from the process: root owns its files in `/proc`.
    ///
    /// The set-group-ID bit is not enough: `fs.suid_dumpable`, or the program itself, may have
    /// undone that.
    private static func isClosed(_ directory: borrowing ProcessDirectory, userID: UInt32) -> Bool {
        guard let file = directory.opened("environ"), let facts = FileFacts(of: file.number) else {
            return false
        }
        return facts.owner == 0
    }

    /// Whether a debugger is attached to one of the threads.
    private static func isTraced(
        _ directory: borrowing ProcessDirectory,
        _ status: ProcessStatus
    ) throws(EvidenceError) -> Bool {
        if status.tracer != 0 { return true }
        let threads = directory.threads(limit: 256)
        guard threads.count > 1 else { return false }
        for thread in threads {
            // A thread may have ended meanwhile.
            guard let bytes = try? directory.read("task/\(thread)/status", limit: 1 << 20) else {
                continue
            }
            if ProcessStatus.field("TracerPid", in: bytes) != "0" { return true }
        }
        return false
    }
}

extension PathWalk {
    /// Starts at the root directory of this process.
    convenience init?(from path: String, account: AccountRights) {
        guard
            let root = Descriptor(opened: open(path, Descriptor.pathOnly | O_DIRECTORY | O_CLOEXEC))
        else {
            return nil
        }
        self.init(from: root, account: account) {
            let file = Descriptor(opened: open("/proc/thread-self/mountinfo", O_RDONLY | O_CLOEXEC))
            guard let file, let bytes = try? ProcessDirectory.bytes(of: file, limit: 4 << 20) else {
                return MountTable([])
            }
            return MountTable(bytes)
        }
    }
}
