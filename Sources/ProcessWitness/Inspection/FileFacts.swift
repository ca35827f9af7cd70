import Glibc

@_implementationOnly import CWitness

/// The kernel's facts about a file.
struct FileFacts: Sendable, Hashable {
    /// The identity of a file, which is unique while the file exists.
    struct Identity: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// A moment in the kernel's clock.
    struct Moment: Sendable, Hashable {
        let seconds: Int64
        let nanoseconds: UInt32
    }

    let identity: Identity
    let byteCount: UInt64
    /// The mount through which the file was reached.
    let mount: UInt64
    let modified: Moment
    let changed: Moment
    let owner: UInt32
    let group: UInt32
    let mode: UInt32
    /// Whether an access control list permits more than the mode; determined only if it can matter.
    let hasList: Bool

    /// Examines the file behind a descriptor, which may be one of `O_PATH`.
    ///
    /// It calls no program that serves a file system, so no program can delay it.
    init?(of descriptor: Int32) {
        var file = witness_file()
        guard witness_look(descriptor, &file) == 0 else { return nil }
        identity = Identity(device: file.device, inode: file.inode)
        byteCount = file.size
        mount = file.mount
        modified = Moment(seconds: file.modified_seconds, nanoseconds: file.modified_nanoseconds)
        changed = Moment(seconds: file.changed_seconds, nanoseconds: file.changed_nanoseconds)
        owner = file.user
        group = file.group
        mode = file.mode
        // The group bits of a file with a list are the greatest rights in the list. So without the
        // group's write bit, no account in the list may write.
        let mayMatter = file.mode & mode_t(S_IWGRP) != 0
        hasList = mayMatter && witness_has_list(descriptor) != 0
    }

    var isDirectory: Bool { mode & mode_t(S_IFMT) == mode_t(S_IFDIR) }
    var isRegular: Bool { mode & mode_t(S_IFMT) == mode_t(S_IFREG) }

    /// Whether root owns the file and no other account may write it.
    ///
    /// A group counts as another account, even root's group. A sticky directory counts as writable:
    /// if a file in it is gone, others can create one there.
    var isRootsAlone: Bool { owner == 0 && mode & mode_t(S_IWGRP | S_IWOTH) == 0 }

    /// Whether the file is a set-group-ID program of a group.
    func raises(to group: UInt32) -> Bool {
        let bits = mode_t(S_ISGID | S_IXGRP)
        return self.group == group && mode & bits == bits
    }
}

/// An account with the groups of one of its processes.
struct AccountRights: Sendable {
    let userID: UInt32
    let groups: Set<UInt32>

    /// Whether the account can change a file, or can give itself that right: an owner can change
    /// the mode.
    func mayChange(_ file: FileFacts) -> Bool {
        if file.owner == userID || file.mode & mode_t(S_IWOTH) != 0 { return true }
        guard file.mode & mode_t(S_IWGRP) != 0 else { return false }
        // The accounts in the list are not examined: with a list, others than root may write.
        return groups.contains(file.group) || file.hasList
    }
}
