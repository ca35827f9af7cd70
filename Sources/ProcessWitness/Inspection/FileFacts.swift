import Glibc

@_implementationOnly import CWitness

/// What the kernel knows of a file.
struct FileFacts: Sendable, Hashable {
    /// The one file that it is, for as long as it exists.
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
    /// The mount through which it was reached.
    let mount: UInt64
    let modified: Moment
    let changed: Moment
    let owner: UInt32
    let group: UInt32
    let mode: UInt32
    /// Whether an access control list says more than the mode; only known where it can matter.
    let hasList: Bool

    /// Looks at what a descriptor is open on; one of `O_PATH` does.
    ///
    /// Nobody who serves a file system is asked, so nobody can keep the call waiting.
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
        // The group's bits of a file with a list are the most that the list gives anybody. So
        // without its write bit nobody in the list may write.
        let mayMatter = file.mode & mode_t(S_IWGRP) != 0
        hasList = mayMatter && witness_has_list(descriptor) != 0
    }

    var isDirectory: Bool { mode & mode_t(S_IFMT) == mode_t(S_IFDIR) }
    var isRegular: Bool { mode & mode_t(S_IFMT) == mode_t(S_IFREG) }

    /// Whether root owns the file and nobody else may write it.
    ///
    /// A group is somebody else, even root's. A sticky directory is writable: in it others can put
    /// a file where one was.
    var isRootsAlone: Bool { owner == 0 && mode & mode_t(S_IWGRP | S_IWOTH) == 0 }

    /// Whether a set-group-ID program of that group.
    func raises(to group: UInt32) -> Bool {
        let bits = mode_t(S_ISGID | S_IXGRP)
        return self.group == group && mode & bits == bits
    }
}

/// An account with the groups that one of its processes has.
struct AccountRights: Sendable {
    let userID: UInt32
    let groups: Set<UInt32>

    /// Whether the account can change a file, or become able to: an owner can change the mode.
    func mayChange(_ file: FileFacts) -> Bool {
        if file.owner == userID || file.mode & mode_t(S_IWOTH) != 0 { return true }
        guard file.mode & mode_t(S_IWGRP) != 0 else { return false }
        // Who is in the list is not looked up: the file is root's business no more.
        return groups.contains(file.group) || file.hasList
    }
}
