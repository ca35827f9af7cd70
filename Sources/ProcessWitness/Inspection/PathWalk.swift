import Glibc
import KeychainSockets

/// A walk from a root directory to a file that determines which accounts can change the path.
///
/// It follows no symbolic links, because the kernel reports paths without links. It does not enter
/// a mount that a program serves, so that no program can delay it.
final class PathWalk {
    /// A directory on the path.
    private final class Directory {
        let descriptor: Descriptor
        let facts: FileFacts
        /// Whether only root can change this directory and all above it.
        let isRootsAlone: Bool
        /// Whether the account can change one of them.
        let isChangeable: Bool

        init?(
            _ descriptor: consuming Descriptor,
            below parent: Directory?,
            _ account: AccountRights
        ) {
            guard let facts = FileFacts(of: descriptor.number), facts.isDirectory else {
                return nil
            }
            self.descriptor = descriptor
            self.facts = facts
            isRootsAlone = facts.isRootsAlone && parent?.isRootsAlone ?? true
            isChangeable = account.mayChange(facts) || parent?.isChangeable ?? false
        }
    }

    /// A file at the end of a walk.
    struct Found: Sendable {
        let facts: FileFacts
        /// Whether only root can change the file and every directory above it.
        let isRootsAlone: Bool
        /// Whether the account can change the file or a directory above it.
        let isChangeable: Bool
    }

    private let root: Directory
    private let account: AccountRights
    private let readMounts: () -> MountTable
    private var mounts: MountTable?
    /// Directories that were reached earlier; a program has its libraries in few of them.
    private var known: [(path: ArraySlice<UInt8>, directory: Directory)] = []

    /// Starts at a directory.
    ///
    /// Its mounts are read only when a walk reaches a second one.
    init?(
        from root: consuming Descriptor,
        account: AccountRights,
        mounts: @escaping () -> MountTable
    ) {
        guard let top = Directory(root, below: nil, account) else { return nil }
        self.root = top
        self.account = account
        readMounts = mounts
    }

    /// The identity of the root directory.
    var rootIdentity: FileFacts.Identity { root.facts.identity }

    /// Examines the file at an absolute path; nil if the walk cannot reach it.
    func look(at path: [UInt8]) -> Found? {
        let slash = UInt8(ascii: "/")
        guard path.first == slash, let last = path.lastIndex(of: slash), !path.contains(0),
            let parent = directory(path[..<last])
        else { return nil }
        let name = path[(last + 1)...]
        guard !name.isEmpty, let file = Self.open(name, in: parent, O_NOFOLLOW),
            let facts = FileFacts(of: file.number), facts.isRegular, mayEnter(facts, from: parent)
        else { return nil }
        return Found(
            facts: facts,
            isRootsAlone: parent.isRootsAlone && facts.isRootsAlone,
            isChangeable: parent.isChangeable || account.mayChange(facts)
        )
    }

    private func directory(_ path: ArraySlice<UInt8>) -> Directory? {
        if let found = known.first(where: { $0.path == path }) { return found.directory }
        var directory = root
        for name in path.split(separator: UInt8(ascii: "/")) {
            guard let opened = Self.open(name, in: directory, O_NOFOLLOW | O_DIRECTORY),
                let next = Directory(opened, below: directory, account),
                mayEnter(next.facts, from: directory)
            else { return nil }
            directory = next
        }
        if known.count == Self.knownLimit { known.removeFirst() }
        known.append((path, directory))
        return directory
    }

    /// The greatest number of known directories, each of which holds a descriptor.
    private static let knownLimit = 8

    private func mayEnter(_ facts: FileFacts, from parent: Directory) -> Bool {
        guard facts.mount != parent.facts.mount else { return true }
        let table = mounts ?? readMounts()
        mounts = table
        return table.isKeptByKernel(facts.mount)
    }

    private static func open(
        _ name: ArraySlice<UInt8>,
        in directory: Directory,
        _ flags: Int32
    ) -> Descriptor? {
        let parts = [UInt8(ascii: "."), UInt8(ascii: ".")]
        guard name.count <= 255, !name.elementsEqual(parts), !name.elementsEqual(parts.prefix(1))
        else { return nil }
        let text = name.map(CChar.init(bitPattern:)) + [0]
        return Descriptor(
            opened: openat(
                directory.descriptor.number,
                text,
                Descriptor.pathOnly | O_CLOEXEC | flags
            )
        )
    }
}
