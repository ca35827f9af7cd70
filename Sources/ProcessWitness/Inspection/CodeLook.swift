import Glibc

/// A search for code in a process that its account can change, such as its own libraries and
/// deleted files.
struct CodeLook {
    private let account: AccountRights
    private let executablePath: [UInt8]
    private let executable: FileFacts
    /// Whether only root may be able to change the files, as for a securely executed program.
    private let demandsRoot: Bool
    /// Whether only root can have mounted other files at the paths that the process sees.
    private let sharesMounts: Bool

    init(
        account: AccountRights,
        executable: borrowing ExecutableLook,
        demandsRoot: Bool,
        sharesMounts: Bool
    ) {
        self.account = account
        executablePath = executable.path
        self.executable = executable.facts
        self.demandsRoot = demandsRoot
        self.sharesMounts = sharesMounts
    }

    private static let byteLimit = 4 << 20
    private static let mappingLimit = 1024
    private static let listedLimit = 8
    /// The entry for too many files to examine.
    private static let tooMuch = "more files than can be looked at"

    /// Returns a few code files that the account can change; empty if there are none.
    func foreignMappings(
        of directory: borrowing ProcessDirectory,
        walking walk: PathWalk
    ) -> [String] {
        guard let bytes = try? directory.read("maps", limit: Self.byteLimit),
            let mappings = CodeMapping.all(in: bytes, limit: Self.mappingLimit)
        else { return [Self.tooMuch] }
        let own = Self.ownWalk(directory, account)
        var listed: [String] = []
        for mapping in mappings where listed.count < Self.listedLimit {
            if isExecutable(mapping) { continue }
            let found =
                file(of: mapping, walk)
                ?? own.flatMap { file(of: mapping, $0) }
            guard found.map(isForeign) ?? true else { continue }
            listed.append(Self.shown(mapping.path))
        }
        return listed
    }

    private func isExecutable(_ mapping: CodeMapping) -> Bool {
        mapping.inode == executable.identity.inode
            && (mapping.device == executable.identity.device || mapping.path == executablePath)
    }

    private func isForeign(_ file: FileFacts) -> Bool {
        demandsRoot ? !file.isRootsAlone : account.mayChange(file)
    }

    /// Returns the file of a mapping, if its path still leads to it.
    private func file(of mapping: CodeMapping, _ walk: PathWalk) -> FileFacts? {
        guard !mapping.isAmbiguous, let facts = walk.look(at: mapping.path)?.facts,
            facts.identity.inode == mapping.inode
        else { return nil }
        // Btrfs and overlays report different device numbers here and there. If only root can
        // mount, path and inode together still identify one file.
        let isSame = facts.identity.device == mapping.device
        let isVirtual = mapping.isOnVirtualDevice && facts.identity.device >> 8 & 0xFFF == 0
        return isSame || sharesMounts && isVirtual ? facts : nil
    }

    /// Returns a walk from the process's own root, for files that are visible only in its mounts.
    private static func ownWalk(
        _ directory: borrowing ProcessDirectory,
        _ account: AccountRights
    ) -> PathWalk? {
        guard let root = directory.opened("root", O_DIRECTORY) else { return nil }
        let bytes = (try? directory.read("mountinfo", limit: 4 << 20)) ?? []
        return PathWalk(from: root, account: account) { MountTable(bytes) }
    }

    /// Returns the path for messages, shortened to fit a line.
    private static func shown(_ path: [UInt8]) -> String {
        path.isEmpty ? "a file without a name" : String(decoding: path.prefix(256), as: UTF8.self)
    }
}
