import CallerEvidence
import Glibc
import KeychainSockets

/// The detection of a process's sandbox.
///
/// - Source: Documentation/Spec/evidence.md §2.
enum Sandbox {
    enum Kind {
        case none
        case flatpak(String)
        /// The root directory of the process gives no answer.
        case hidden
    }

    /// Detects a Flatpak by the contents of the process's root directory.
    ///
    /// A Flatpak cannot change that directory. A program outside can make such a directory and
    /// pretend to be any Flatpak. It then has that Flatpak's rights and no others.
    static func of(
        _ directory: borrowing ProcessDirectory,
        hostRoot: FileFacts.Identity
    ) -> Kind {
        guard let root = directory.opened("root", O_DIRECTORY),
            let facts = FileFacts(of: root.number)
        else { return .hidden }
        if facts.identity == hostRoot { return .none }
        guard let bytes = try? directory.read("mountinfo", limit: 4 << 20) else { return .hidden }
        let mounts = MountTable(bytes)
        guard mounts.isKeptByKernel(facts.mount) else { return .hidden }
        let flags = Descriptor.pathOnly | O_NOFOLLOW | O_CLOEXEC
        guard let info = Descriptor(opened: openat(root.number, ".flatpak-info", flags)) else {
            return errno == ENOENT ? .none : .hidden
        }
        return flatpak(info, mounts)
    }

    /// Returns the application in the Flatpak's information and mounts, which have to agree.
    ///
    /// Only the account may be able to read the information, so the witness may not.
    private static func flatpak(_ info: borrowing Descriptor, _ mounts: MountTable) -> Kind {
        guard let facts = FileFacts(of: info.number), facts.isRegular,
            mounts.isKeptByKernel(facts.mount)
        else { return .hidden }
        let mounted = FlatpakApplication.name(mounts: mounts)
        guard let file = info.openedForReading() else {
            return mounted.map(Kind.flatpak) ?? .hidden
        }
        guard let bytes = try? ProcessDirectory.bytes(of: file, limit: 1 << 16),
            let name = FlatpakApplication.name(info: bytes), mounted ?? name == name
        else { return .hidden }
        return .flatpak(name)
    }

    /// Returns the confinement from the label of AppArmor or SELinux.
    static func label(of directory: borrowing ProcessDirectory) -> Confinement? {
        let bytes =
            (try? directory.read("attr/apparmor/current", limit: 4096))
            ?? (try? directory.read("attr/current", limit: 4096))
        return bytes.flatMap(SecurityLabel.confinement)
    }
}
