import Glibc
import KeychainSockets
import KeychainSync
import Synchronization

@_implementationOnly import CFileFacts

/// A watch for possible changes in the directories of an account.
///
/// inotify reports changes on this machine. It does not report changes of network file systems by
/// other machines, so those are also examined once a second.
///
/// - Source: inotify(7).
final class DirectoryWatch: Sendable {
    private struct State: Sendable {
        /// Whether there are directories about which inotify reports nothing.
        var isBlind = true
    }

    private let state = Mutex(State())
    /// The descriptor of inotify; -1 if the system has no more of them.
    private let descriptor: Int32

    /// Makes a watch.
    ///
    /// - Parameter usesEvents: Whether to use inotify.
    init(usesEvents: Bool = true) {
        descriptor = usesEvents ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// File systems that other machines change without an event: NFS, CIFS, SMB 2, FUSE, 9P, AFS,
    /// Ceph, VirtualBox, and the layers of containers.
    private static let distant: Set<UInt64> = [
        0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x6B41_4653, 0x5346_414F,
        0x00C3_6400, 0x786F_4256, 0x794C_7630,
    ]

    /// Watches the existing directories; called before their contents are read.
    func begin(_ path: String, _ account: AccountName) throws(RelayError) {
        let root = try RelayFolder(path)
        var sees = add(root)
        if let above = try root.folder(account.hexadecimal) {
            sees = add(above) && sees
            var names: [String] = []
            try above.forEachName { name, isFile in
                let isListed = name == LinkPart.link.folderName
                if !isFile, isListed || StreamName(hexadecimal: name) != nil { names.append(name) }
            }
            for name in names {
                guard let folder = try? above.folder(name) else { continue }
                sees = add(folder) && sees
            }
        }
        let isBlind = !sees
        state.withLock { $0.isBlind = isBlind }
    }

    /// Waits for an event, or until it is time to examine the directories.
    func wait(_ interruption: RelayWait, until deadline: Deadline) -> RelayWait.End {
        guard state.withLock({ $0.isBlind }) else {
            let end = interruption.wait(for: descriptor, until: deadline)
            drain()
            return end
        }
        let second = Deadline.after(milliseconds: 1000)
        let isShort = deadline.pollMilliseconds >= 0 && deadline.pollMilliseconds < 1000
        let event = descriptor >= 0 ? descriptor : nil
        let end = interruption.wait(for: event, until: isShort ? deadline : second)
        drain()
        return end
    }

    /// Watches a directory.
    ///
    /// - Returns: Whether changes in the directory will be reported.
    private func add(_ folder: borrowing RelayFolder) -> Bool {
        let number = folder.descriptor.number
        guard descriptor >= 0 else { return false }
        let events = IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM
        let mask = UInt32(events | IN_ONLYDIR)
        let isWatched = inotify_add_watch(descriptor, "/proc/self/fd/\(number)", mask) >= 0
        return isWatched && !Self.distant.contains(file_system_magic(number))
    }

    private func drain() {
        guard descriptor >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
