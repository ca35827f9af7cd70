import CallerEvidence
import Glibc
import KeychainModel
import ProcessWitness

/// A program to protect, which stays open while it is examined and changed.
final class ProtectedFile {
    /// The group of protected programs.
    static let groupName = ClientGroup.name

    /// The path without symbolic links, as the kernel reports it.
    let path: String
    private let descriptor: Int32
    private let facts: stat

    /// Opens the file that a path leads to.
    ///
    /// - Throws: `CommandFailure.input` unless root can read the file.
    init(_ path: String) throws(CommandFailure) {
        guard let resolved = realpath(path, nil) else {
            throw .input("\(path) cannot be found: \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        let target = String(cString: resolved)
        let opened = open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else {
            throw .input("\(target) cannot be opened: \(String(cString: strerror(errno)))")
        }
        var facts = stat()
        guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw .input("\(target) is not a program")
        }
        self.path = target
        descriptor = opened
        self.facts = facts
    }

    deinit { close(descriptor) }

    /// Returns the number of the group.
    ///
    /// - Throws: `CommandFailure.unmet` if the machine has no such group.
    static func clientGroup() throws(CommandFailure) -> UInt32 {
        guard let number = ClientGroup.number else {
            throw .unmet(
                "there is no group \(groupName); install the daemon, or run: groupadd --system"
                    + " \(groupName)"
            )
        }
        return number
    }

    /// The permission bits.
    var mode: UInt32 { facts.st_mode & 0o7777 }

    /// Whether the file is protected already.
    func hasBit(of group: UInt32) -> Bool { mode & 0o2010 == 0o2010 && facts.st_gid == group }

    /// Changes the group and mode of the file that was examined.
    ///
    /// Sets the group first, because a change of the group clears the set-group-ID bit.
    /// - Throws: `CommandFailure.unmet` with the kernel's reason.
    func set(group: UInt32, mode: UInt32) throws(CommandFailure) {
        guard fchown(descriptor, uid_t.max, group) == 0, fchmod(descriptor, mode) == 0 else {
            throw .unmet("\(path) cannot be changed: \(String(cString: strerror(errno)))")
        }
    }

    // MARK: Reasons against protection

    /// Returns why the file cannot be protected, as a sentence; nil if it can.
    func problem(group: UInt32) -> String? {
        ownerProblem ?? directoryProblem ?? rightsProblem(group) ?? contentProblem ?? mountProblem
    }

    private var ownerProblem: String? {
        guard facts.st_uid == 0 else {
            return
                "root does not own \(path), so its owner could replace it; run: chown root \(path)"
        }
        guard mode & 0o022 == 0 else {
            return "other accounts can write \(path); run: chmod go-w \(path)"
        }
        // With such a mode, the new group would change who may run the program.
        return mode & 0o001 == 0 ? "not every account may run \(path); run: chmod 755 \(path)" : nil
    }

    /// A problem with a directory above the file.
    ///
    /// A sticky directory is no exception: if the file is gone, others can create one there.
    private var directoryProblem: String? {
        var directory = path
        while let slash = directory.lastIndex(of: "/") {
            directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
            var facts = stat()
            guard lstat(directory, &facts) == 0 else { return "\(directory) cannot be examined" }
            guard facts.st_uid == 0, facts.st_mode & 0o022 == 0 else {
                return "other accounts can write \(directory), so they could replace \(path); "
                    + "install the program below a directory that only root can write"
            }
            if directory == "/" { return nil }
        }
        return nil
    }

    private func rightsProblem(_ group: UInt32) -> String? {
        guard mode & 0o4000 == 0 else {
            return "\(path) is set-user-ID: it runs with the rights of another account already"
        }
        guard mode & 0o2000 == 0 || facts.st_gid == group else {
            return "\(path) is set-group-ID to another group, which it would lose"
        }
        guard !FileCapabilities.areSet(on: descriptor) else {
            return "\(path) has file capabilities, which it would lose"
        }
        return nil
    }

    private var contentProblem: String? {
        var start = [UInt8](repeating: 0, count: 4)
        let count = pread(descriptor, &start, start.count, 0)
        if count >= 2, start.starts(with: "#!".utf8) {
            return "\(path) is a script: its interpreter runs, and that runs every script. "
                + "Give the script an account of its own (User= in a unit) instead"
        }
        guard count == 4, start == [0x7F] + Array("ELF".utf8) else {
            return "\(path) is not a program that the kernel runs by itself"
        }
        guard !Interpreters.contain(path: path) else {
            return
                "\(path) runs what others tell it, so every program of the account could use its "
                + "rights"
        }
        return nil
    }

    private var mountProblem: String? {
        var facts = statvfs()
        guard fstatvfs(descriptor, &facts) == 0 else { return "\(path) cannot be examined" }
        guard facts.f_flag & UInt(ST_NOSUID) == 0 else {
            return
                "\(path) is on a file system with the option nosuid, so the kernel ignores the bit"
        }
        return nil
    }
}
