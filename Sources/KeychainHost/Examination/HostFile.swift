import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

/// A file of a keychain's directory, as an examination sees it.
struct HostFile: Sendable {
    private let name: String
    /// The meaning of its absence; nil if it may be missing.
    private let absence: String?
    /// The fate of a file that a crash left; nil for any other file.
    private let fate: Fate?
    /// Checks the content and returns fault and advice; nil for a file that opening checks.
    private let fault: (@Sendable (String) -> (text: String, advice: String)?)?

    private enum Fate: String {
        case removedAtOpening = "the next program that opens the keychain removes them"
        case replacedAtWriting = "the next write replaces them"
    }

    private init(
        _ name: String,
        absence: String? = nil,
        leftover fate: Fate? = nil,
        fault: (@Sendable (String) -> (text: String, advice: String)?)? = nil
    ) {
        self.name = name
        self.absence = absence
        self.fate = fate
        self.fault = fault
    }

    // ★ Table: store.md §1.
    static let all: [HostFile] = [
        HostFile("keybag", absence: "it does not exist yet: there are no class keys"),
        HostFile("secure-element", absence: "it does not exist yet: there is no device key"),
        HostFile("lock"),
        HostFile("lock-epoch"),
        HostFile("programs", fault: programsFault),
        HostFile("keychain.db", absence: "it does not exist yet: there are no items"),
        HostFile("keychain.db-wal"),
        HostFile("keychain.db-shm"),
        HostFile("sealed-passcode"),
        HostFile("migration.journal"),
        HostFile("migration.lock"),
        HostFile("keybag.next", leftover: .removedAtOpening),
        HostFile("keybag.next.new", leftover: .removedAtOpening),
        HostFile("keybag.new", leftover: .removedAtOpening),
        HostFile("secure-element.new", leftover: .removedAtOpening),
        HostFile("sealed-passcode.new", leftover: .replacedAtWriting),
        HostFile("programs.new", leftover: .removedAtOpening),
        HostFile("keychain.db.new", leftover: .replacedAtWriting),
    ]

    /// Checks the list of programs, which opening ignores even if it is damaged.
    private static func programsFault(
        _ path: String
    ) -> (text: String, advice: String)? {
        guard let bytes = SmallFile.bytes(at: path, limit: .max), !Engine.areProgramRecords(bytes)
        else { return nil }
        return (
            "\(path) is damaged, so each program has the access group of its name",
            "remove it: each program chooses its group again at its next use"
        )
    }

    /// Returns the observations about the file in a directory; empty if it is missing and may be.
    func observations(in directory: String) -> [Observation] {
        let path = directory + "/" + name
        do throws(StorageError) {
            guard try OwnerOnly.check(path, is: .file) else {
                return absence.map { [Observation(.notice, name, $0)] } ?? []
            }
        } catch {
            let advice = "find out who used it, then run chmod 600 \(path)"
            return [Observation(.problem, name, KeychainError(error).reason, advice: advice)]
        }
        var status = stat()
        let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
        if let fault = fault?(path) {
            return [Observation(.problem, name, fault.text, advice: fault.advice)]
        }
        guard let fate else {
            return [Observation(.fine, name, "\(size) bytes, which only this user can reach")]
        }
        let text = "\(size) bytes that a crash left; \(fate.rawValue)"
        return [Observation(.notice, name, text)]
    }
}
