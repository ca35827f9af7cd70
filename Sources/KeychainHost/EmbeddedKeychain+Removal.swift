import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

// Invariants   (1) The directory that is checked is the one that is removed: each step uses one
//                  descriptor of it, even if its path changes meanwhile.
//              (2) The keys go first, so the rest after a crash opens nothing. They are
//                  overwritten in place: hard links and open descriptors lose them too.

extension EmbeddedKeychain {
    /// The file that marks a temporary keychain of a command, which may be removed as a whole.
    private static let mark = "removable"

    /// Creates a directory for a keychain that ``remove(_:_:effects:)`` accepts.
    ///
    /// - Throws: `errSecDuplicateKeychain` if the directory is not empty; the errors of the files.
    package static func makeRemovable(_ home: KeychainHome) throws(KeychainError) {
        try fromStorage(try OwnDirectory.make(home.directory))
        let folder = try OpenFolder(home.directory)
        guard try folder.names().isEmpty else {
            let reason = "\(home.directory) holds files already: choose another name"
            throw KeychainError(.duplicateKeychain, reason)
        }
        try folder.makeFile(mark)
    }

    /// Whether ``remove(_:_:effects:)`` accepts a directory with a keychain, or with the rest of
    /// one.
    package static func isRemovable(_ home: KeychainHome) -> Bool {
        (try? OpenFolder(home.directory).hasFile(mark)) ?? false
    }

    /// Destroys the keys of a directory's keychain, then removes its files and the directory.
    ///
    /// Other processes that have it open lock first.
    ///
    /// - Parameters:
    ///   - home: The directory.
    ///   - environment: The environment, which determines where unlocked keychains are shared.
    ///   - effects: A hook before each effect.
    /// - Throws: `errSecInvalidKeychain` without the mark, and `errSecNotAvailable` if the
    ///   directory contains anything else, both before a change; the errors of the files.
    package static func remove(
        _ home: KeychainHome,
        _ environment: ProcessEnvironment,
        effects: MoveEffects = MoveEffects()
    ) throws(KeychainError) {
        let folder = try OpenFolder(home.directory)
        guard try folder.hasFile(mark) else {
            let reason =
                "create-keychain did not make \(home.directory); nothing was deleted"
            throw KeychainError(.invalidKeychain, reason)
        }
        let keys = DeviceFile.allCases.flatMap { [$0.rawValue, $0.rawValue + ".new"] }
        let known = Set(
            keys
                + ["", "-wal", "-shm", "-journal", ".new", ".new-wal", ".new-shm"]
                .map { "keychain.db" + $0 } + ["lock", "migration.lock", mark]
        )
        if let other = try folder.names().first(where: { !known.contains($0) }) {
            let reason =
                "\(home.directory) also holds \(other), which is no keychain's; nothing was deleted"
            throw KeychainError(.notAvailable, reason)
        }
        try effects("lock the keychain and remove its keys") { () throws(KeychainError) in
            let storage = try fromStorage(try DirectoryStorage(path: folder.ownPath))
            try storage.whileLocked { () throws(KeychainError) in
                try lock(storage, environment)
                for name in keys { try folder.destroy(name) }
                try folder.synchronize()
            }
        }
        try effects("remove the other files") { () throws(KeychainError) in
            // The mark is removed last, so that the rest after a crash can be removed too.
            for name in try folder.names() where name != mark { try folder.remove(name) }
            try folder.remove(mark)
        }
        try effects("remove the directory") { () throws(KeychainError) in
            try folder.removeItself()
        }
    }

    /// Locks the keychain for all processes that have it open or share its session.
    private static func lock(
        _ storage: DirectoryStorage,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        let now = try fromStorage(try DeviceInstant.systemNow())
        try fromDevice(
            try Device.lockUnopened(
                storage,
                sessions: SharedMemoryStorage(environment),
                random: SystemRandomSource(),
                at: now
            )
        )
    }
}

extension SecurityStatus {
    /// A keychain of this name already exists.
    ///
    /// The corresponding C constant is `errSecDuplicateKeychain`.
    package static let duplicateKeychain = SecurityStatus(rawValue: -25296)
}
