/// The kernel's evidence of a process; no part of it comes from the process itself.
///
/// - Source: Documentation/Spec/evidence.md §2.
package struct Evidence: Sendable, Hashable {
    /// The account that the process runs as.
    package var userID: UInt32
    /// The process's number, for people; a number proves nothing.
    package var processID: Int32
    /// The program; nil if it could not be read.
    package var executable: ExecutableEvidence?
    /// The unit of a system service, such as `shop.service`; units of users prove nothing.
    package var systemUnit: String?
    /// The sandbox that the process is in.
    package var confinement: Confinement?
    /// Whether the program was executed set-group-ID to the client group.
    ///
    /// The loader then ignored the account's environment, and no program of the account may trace
    /// the process.
    package var isExecutedSecurely = false
    /// Whether a program without the client group made the connection.
    ///
    /// Otherwise another program could pass its connection on as the output of a program that
    /// writes what its caller chooses, and speak through it.
    package var isConnectionForeign = false
    /// Whether a debugger is attached.
    package var isTraced = false
    /// Executable mappings of files that the account may write; at most a few.
    package var foreignMappings: [String] = []
    /// Whether the process is in another user namespace than the daemon.
    ///
    /// There its account has the power of root: it makes file systems, credentials and even the
    /// link to the executable, so neither the path nor the set-group-ID bit proves anything.
    package var isInOtherUserNamespace = false
    /// Whether its real, effective and saved accounts differ, as in a set-user-ID program.
    package var hasSeveralAccounts = false
    /// A number that differs after every `exec`, even of the same file; 0: unknown.
    ///
    /// It is computed from the addresses of the program and its stack in memory.
    ///
    /// - Source: Documentation/Spec/evidence.md §6.
    package var image: UInt64 = 0

    package init(userID: UInt32, processID: Int32) {
        self.userID = userID
        self.processID = processID
    }
}

/// The evidence of the file that a process executes.
package struct ExecutableEvidence: Sendable, Hashable {
    /// The absolute path as the daemon sees it.
    package var path: String
    package var device: UInt64
    package var inode: UInt64
    /// SHA-256 of the content; nil if the file cannot be read.
    package var digest: [UInt8]?
    /// Whether root owns the file and every directory above it, and no other account may write
    /// them.
    package var isRootOwned: Bool
    /// Whether the file has the set-group-ID bit for the client group.
    package var hasClientGroup: Bool
    /// Whether the caller's account may replace the file.
    ///
    /// It may if it owns the file or a directory above, or may write one of them.
    package var isReplaceable: Bool
    /// Whether the path leads to the very file that runs.
    ///
    /// It does not if the file is deleted or replaced, or if a mount hides it.
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
