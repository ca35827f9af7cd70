import CallerEvidence
import Glibc
import KeychainSockets

/// An examination of the file that a process executes.
struct ExecutableLook: ~Copyable {
    let evidence: ExecutableEvidence
    /// The path from the kernel.
    let path: [UInt8]
    let facts: FileFacts
    private let content: Descriptor?

    /// Examines the executable; nil if this process may not.
    ///
    /// - Parameters:
    ///   - directory: The directory of the process.
    ///   - walk: A walk that finds the path in this process's own mounts.
    ///   - clientGroup: The group of protected programs.
    init?(
        _ directory: borrowing ProcessDirectory,
        walking walk: PathWalk,
        clientGroup: UInt32?
    ) {
        guard let file = directory.opened("exe"), let facts = FileFacts(of: file.number),
            let path = directory.link("exe")
        else { return nil }
        // The path of a deleted file ends with ` (deleted)`. An existing file with exactly that
        // name is a different file.
        let found = walk.look(at: path).flatMap { $0.facts.identity == facts.identity ? $0 : nil }
        let text = String(validating: path, as: UTF8.self)
        let isPresent = found != nil && text != nil && path.count <= Self.pathLimit
        evidence = ExecutableEvidence(
            path: text ?? String(decoding: path, as: UTF8.self),
            device: facts.identity.device,
            inode: facts.identity.inode,
            digest: nil,
            isRootOwned: isPresent && found?.isRootsAlone == true,
            hasClientGroup: clientGroup.map(facts.raises) ?? false,
            isReplaceable: found?.isChangeable ?? true,
            isPresent: isPresent
        )
        self.path = path
        self.facts = facts
        let isReadable = facts.isRegular && (found != nil || Self.isKept(facts.mount, directory))
        content = isReadable ? file.openedForReading() : nil
    }

    consuming func takeContent() -> Descriptor? { content }

    private static let pathLimit = 4095

    /// Whether the kernel itself stores the content, for a file that is visible only in the
    /// process's mounts.
    private static func isKept(_ mount: UInt64, _ directory: borrowing ProcessDirectory) -> Bool {
        guard let bytes = try? directory.read("mountinfo", limit: 4 << 20) else { return false }
        return MountTable(bytes).isKeptByKernel(mount)
    }
}
