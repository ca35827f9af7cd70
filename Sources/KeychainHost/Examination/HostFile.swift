import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

/// A file of a keychain's directory, as an examination sees it.
struct HostFile: Sendable {
    private let name: String
    /// What its absence means; nil where it may be absent.
    private let absence: String?
    /// Whether a crash has left it.
    private let isLeftover: Bool

    private init(_ name: String, absence: String? = nil, isLeftover: Bool = false) {
        self.name = name
        self.absence = absence
        self.isLeftover = isLeftover
    }

    // ★ Table: store.md §1.
    static let all: [HostFile] = [
        HostFile("keybag", absence: "there are no class keys yet"),
        HostFile("secure-element", absence: "there is no UID key yet"),
        HostFile("lock"),
        HostFile("lock-epoch"),
        HostFile("programs"),
        HostFile("keychain.db", absence: "there are no items yet"),
        HostFile("keychain.db-wal"),
        HostFile("keychain.db-shm"),
        HostFile("keybag.next", isLeftover: true),
        HostFile("keybag.new", isLeftover: true),
        HostFile("secure-element.new", isLeftover: true),
        HostFile("programs.new", isLeftover: true),
        HostFile("keychain.db.new", isLeftover: true),
    ]

    /// What there is to say about the file in a directory; nothing if it may be absent and is.
    func observations(in directory: String) -> [Observation] {
        let path = directory + "/" + name
        do throws(StorageError) {
            guard try OwnerOnly.check(path, is: .file) else {
                return absence.map { [Observation(.notice, name, $0)] } ?? []
            }
        } catch {
            let advice = "find out who has been there, then: chmod 600 \(path)"
            return [Observation(.problem, name, KeychainError(error).reason, advice: advice)]
        }
        var status = stat()
        let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
        guard isLeftover else {
            return [Observation(.fine, name, "\(size) bytes, this user's alone")]
        }
        let text = "\(size) bytes that a crash left; the next write replaces them"
        return [Observation(.notice, name, text)]
    }
}
