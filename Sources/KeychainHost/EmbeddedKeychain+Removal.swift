import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

extension EmbeddedKeychain {
    /// A file that says that a keychain may be removed as a whole: a command made it for a while.
    private static let mark = "removable"

    /// Marks the keychain of a directory as one that ``remove(_:_:)`` takes.
    ///
    /// - Throws: what the file throws.
    package static func markRemovable(_ home: KeychainHome) throws(KeychainError) {
        let path = home.directory + "/" + mark
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed("open", path) }
        close(descriptor)
    }

    /// Erases the keychain of a directory, then removes its files and the directory.
    ///
    /// The keys go first, so what a crash leaves opens nothing.
    ///
    /// - Throws: `errSecInvalidKeychain` without the mark, and `errSecNotAvailable` if anything
    ///   else is in the directory, before a file is touched; what the files throw.
    package static func remove(
        _ home: KeychainHome,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        guard access(home.directory + "/" + mark, F_OK) == 0 else {
            let reason =
                "create-keychain did not make \(home.directory); nothing was deleted"
            throw KeychainError(.invalidKeychain, reason)
        }
        let known = Set(
            DeviceFile.allCases.flatMap { [$0.rawValue, $0.rawValue + ".new"] }
                + ["", "-wal", "-shm", "-journal", ".new", ".new-wal", ".new-shm"]
                .map { "keychain.db" + $0 } + ["lock", mark]
        )
        let names = try entries(of: home.directory)
        if let other = names.first(where: { !known.contains($0) }) {
            let reason =
                "\(home.directory) also holds \(other), which is no keychain's; nothing was deleted"
            throw KeychainError(.notAvailable, reason)
        }
        try erase(home, environment)
        // The keys are first in the order of the files.
        for name in DeviceFile.allCases.map(\.rawValue) + (try entries(of: home.directory)) {
            let path = home.directory + "/" + name
            guard unlink(path) == 0 || errno == ENOENT else { throw .failed("unlink", path) }
        }
        guard rmdir(home.directory) == 0 else { throw .failed("rmdir", home.directory) }
    }

    /// A function of its own, so that the keychain is closed before its files go.
    private static func erase(
        _ home: KeychainHome,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        let terms = EngineTerms(
            sessions: .sharedMemory,
            surroundings: { Surroundings() },
            note: { _ in }
        )
        let engine = try engine(home, environment, terms)
        try engine.erase()
        engine.end()
    }

    private static func entries(of directory: String) throws(KeychainError) -> [String] {
        guard let stream = opendir(directory) else { throw .failed("opendir", directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
