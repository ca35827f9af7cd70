import Glibc

/// A read-only examination of the directories in which a user's processes can share an unlock.
///
/// - Source: Documentation/Spec/keybag.md §5; requirement LCK-02.
struct SessionExamination {
    /// The minimum space for a session image: a page.
    private static let byteCount: UInt64 = 4096

    private let place: SharedMemoryStorage
    private let userID: UInt32

    init(_ environment: ProcessEnvironment) {
        place = SharedMemoryStorage(environment)
        userID = environment.userID
    }

    /// Returns the fault of each directory, then the directory in use.
    func observations() -> [Observation] {
        place.candidates.compactMap(fault) + [sharing()]
    }

    private func fault(of path: String) -> Observation? {
        switch MemoryDirectory.fault(of: path, for: userID) {
        case .isNoDirectory: unused(path, "it is not a directory", "find out who used it")
        case .isOpenToOthers:
            unused(
                path,
                "other users can rename or remove files in it",
                path == "/dev/shm" ? "as root: chmod 1777 \(path)" : "chmod 700 \(path)"
            )
        case .isNotInMemory: unused(path, "it is not in memory", "mount a tmpfs at \(path)")
        // A missing directory is not a fault as long as another one serves.
        case .isMissing, nil: nil
        }
    }

    private func unused(_ path: String, _ reason: String, _ advice: String) -> Observation {
        Observation(.notice, "session", "\(path) is not used: \(reason)", advice: advice)
    }

    private func sharing() -> Observation {
        let roots = place.roots
        if let root = roots.first(where: takesFiles) {
            let text = "this user's processes share an unlock, in \(root)"
            return Observation(.fine, "session", text)
        }
        guard let full = roots.first else {
            return Observation(
                .notice,
                "session",
                "no directory in memory is safe: each process has to be unlocked for itself",
                advice: "mount a tmpfs at /dev/shm that belongs to root, with mode 1777"
            )
        }
        return Observation(
            .problem,
            "session",
            "\(full) takes no files: each process has to be unlocked for itself",
            advice: "make room in \(full)"
        )
    }

    private func takesFiles(_ root: String) -> Bool {
        var status = statvfs()
        guard access(root, W_OK) == 0, statvfs(root, &status) == 0 else { return false }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let hasNames = status.f_files == 0 || status.f_favail > 0
        return free >= Self.byteCount && hasNames
    }
}
