/// What the kernel says of a process: nothing in it comes from the process's own words.
///
/// - Source: Documentation/Spec/evidence.md §2.
package struct Evidence: Sendable, Hashable {
    /// The account that the process runs as.
    package var userID: UInt32
    /// The process's number, for people; a number proves nothing.
    package var processID: Int32
    /// The program; nil where it could not be read.
    package var executable: ExecutableEvidence?
    /// The unit of a system service, such as `shop.service`; units of users prove nothing.
    package var systemUnit: String?
    /// The sandbox that the process is in.
    package var confinement: Confinement?
    /// Whether the loader ignored the account's environment, and nobody of the account may trace
    /// the process: it was executed set-group-ID to the client group.
    package var isExecutedSecurely = false
    /// Whether a program without the client group made the connection.
    ///
    /// A program that writes what it is told could otherwise be given a connection as its output,
    /// and speak there for whoever started it.
    package var isConnectionForeign = false
    /// Whether a debugger is attached.
    package var isTraced = false
    /// Executable mappings of files that the account may write; at most a few.
    package var foreignMappings: [String] = []
    /// Whether the process is in another user namespace than the daemon.
    ///
    /// There its account is as good as root: it makes file systems, credentials and even the link
    /// to the executable, so neither path nor set-group-ID bit proves anything.
    package var isInOtherUserNamespace = false
    /// Whether its real, effective and saved accounts differ, as in a set-user-ID program.
    package var hasSeveralAccounts = false
    /// A number that differs after every `exec`, even of the same file; 0: unknown.
    ///
    /// It follows from where the kernel put the program and its stack in memory.
    ///
    /// - Source: Documentation/Spec/evidence.md §6.
    package var image: UInt64 = 0

    package init(userID: UInt32, processID: Int32) {
        self.userID = userID
        self.processID = processID
    }
}

/// What is known of the file that a process executes.
package struct ExecutableEvidence: Sendable, Hashable {
    /// The absolute path as the daemon sees it.
    package var path: String
    package var device: UInt64
    package var inode: UInt64
    /// SHA-256 of the content; nil where the file cannot be read.
    package var digest: [UInt8]?
    /// Whether root owns the file and every directory above it, and nobody else may write them.
    package var isRootOwned: Bool
    /// Whether the file has the set-group-ID bit for the client group.
    package var hasClientGroup: Bool
    /// Whether the caller's account may replace the file: it owns the file or a directory above, or
    /// may write one of them.
    package var isReplaceable: Bool
    /// Whether the path leads to the very file that runs: not deleted, replaced or hidden by a
    /// mount.
    package var isPresent: Bool

    package init(
        path: String,
        device: UInt64,
        inode: UInt64,
        digest: [UInt8]?,
        isRootOwned: Bool,
        hasClientGroup: Bool,
        isReplaceable: Bool,
        isPresent: Bool
    ) {
        self.path = path
        self.device = device
        self.inode = inode
        self.digest = digest
        self.isRootOwned = isRootOwned
        self.hasClientGroup = hasClientGroup
        self.isReplaceable = isReplaceable
        self.isPresent = isPresent
    }
}

/// A sandbox that the kernel enforces.
package enum Confinement: Sendable, Hashable {
    case flatpak(String)
    case snap(String)
    /// An AppArmor or SELinux label other than unconfined.
    case label(String)
}
