import DataProtection
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "closed": the directory has `keybag.moved` and no `keybag`, so that nothing opens it
//              and no open engine writes to it.
// Invariants   (1) The daemon puts its copy into use only after the directory is closed.
//              (2) The directory is reopened only if the daemon says that no copy is in use.
//              (3) Only files that can be created again are removed: the directory is put aside as
//                  a whole.
//
// Source: Documentation/Spec/adoption.md §3.

/// A move of the keychain of a directory into a daemon.
package struct KeychainDeparture {
    /// The result of a move.
    package struct Report: Sendable, Hashable {
        package let itemCount: Int
        /// The present place of the old directory.
        package let aside: String
        /// The groups with items, in alphabetical order; empty if this only finished an earlier
        /// move.
        package let groups: [String]
        /// The keychain that the daemon keeps aside; nil if there is none.
        package let kept: String?
    }

    private let home: KeychainHome
    private let channel: any DaemonChannel
    private let effects: MoveEffects
    private let prove: () throws(KeychainError) -> SharedSecret?
    private let open: (KeychainHome) throws(KeychainError) -> Engine

    /// - Parameters:
    ///   - home: The directory.
    ///   - channel: The daemon.
    ///   - effects: A hook before each effect.
    ///   - prove: Prompts for the passcode of the daemon's keychain, if that was used before.
    ///   - open: Opens the keychain of a directory, without a particular caller.
    package init(
        _ home: KeychainHome,
        into channel: any DaemonChannel,
        effects: MoveEffects = MoveEffects(),
        prove: @escaping () throws(KeychainError) -> SharedSecret? = {
            () throws(KeychainError) in nil
        },
        open: @escaping (KeychainHome) throws(KeychainError) -> Engine
    ) {
        self.home = home
        self.channel = channel
        self.effects = effects
        self.prove = prove
        self.open = open
    }

    /// Moves the keychain, or finishes an interrupted move.
    ///
    /// - Throws: The error that prevents the move. The keychain is then in its old place, unless
    ///   the error says that the daemon can no longer be reached.
    package func run() throws(KeychainError) -> Report {
        if let finished = try finishEarlier() { return finished }
        guard MoveFolder.isPresent(home.keybag) else {
            let reason =
                home.isInDaemon
                ? "the keychain is in the daemon already"
                : "there is no keychain in \(home.directory)"
            throw KeychainError(.noSuchKeychain, reason)
        }
        let storage = try fromStorage(try DirectoryStorage(path: home.directory))
        try checkKind(storage)
        let report = try check()
        // Prompt now, and not while programs wait for the directory.
        let passcode = try proof()
        var adopted = Adopted(itemCount: 0, aside: nil)
        try storage.whileLocked { () throws(KeychainError) in
            adopted = try moveLocked(storage, passcode)
        }
        return Report(
            itemCount: adopted.itemCount,
            aside: try putAside(),
            groups: report.groupCounts.keys.sorted(),
            kept: adopted.aside
        )
    }

    /// The daemon's answer about a keychain that it now has.
    private struct Adopted {
        let itemCount: Int
        let aside: String?
    }

    /// Returns the passcode of the keychain to be replaced; nil if none is needed.
    private func proof() throws(KeychainError) -> SharedSecret? {
        let name = MoveFolder.keybagName(at: home.keybag) ?? []
        switch try ask(.askAdoption(keybag: name)) {
        case .ready: return nil
        case .needsPasscode: return try prove()
        case .occupied(let itemCount): throw .occupied(itemCount: itemCount)
        case .adopted: throw anotherCopy
        default: throw .unexpectedReply
        }
    }

    private var anotherCopy: KeychainError {
        KeychainError(
            .duplicateItem,
            "the daemon has this very keychain already; \(home.directory) is another copy of"
                + " it, which stays where it is"
        )
    }

    /// Throws for a keychain that a copy of its files cannot carry.
    private func checkKind(_ storage: DirectoryStorage) throws(KeychainError) {
        let kind = try fromDevice(try SecureElementKind.recorded(in: storage))
        guard kind == SecureElementKind.software else {
            throw KeychainError(
                .unimplemented,
                "the keychain is bound to \(kind ?? "nothing"), so its files open nothing in the"
                    + " daemon; run keychainctl backup here and keychainctl restore there"
            )
        }
        guard !MoveFolder.isPresent(home.directory + "/migration.journal") else {
            let reason = "a migration was interrupted: run keychainctl migrate again first"
            throw KeychainError(.notAvailable, reason)
        }
    }

    /// Opens every row that the lock state allows.
    private func check() throws(KeychainError) -> CheckReport {
        let engine = try open(home)
        defer { engine.end() }
        return try engine.wholeCheck()
    }
}

// The steps under the directory's lock: no passcode changes, and nothing is created.
extension KeychainDeparture {
    private func moveLocked(
        _ storage: DirectoryStorage,
        _ passcode: SharedSecret?
    ) throws(KeychainError) -> Adopted {
        // These live longer than the store, because closing them would release SQLite's locks.
        var files: [(name: String, reader: MovingFileReader)] = []
        for name in MovingFile.names {
            files.append((name, try MovingFileReader(home.directory + "/" + name)))
        }
        let adopted = try moveWithoutWriters(storage, files, passcode)
        withExtendedLifetime(files) {}
        return adopted
    }

    private func moveWithoutWriters(
        _ storage: DirectoryStorage,
        _ files: [(name: String, reader: MovingFileReader)],
        _ passcode: SharedSecret?
    ) throws(KeychainError) -> Adopted {
        let store = try ItemStore(opening: home.database)
        try keepWritersOut(store)
        defer { store.rollBack() }
        let name = MoveFolder.keybagName(at: home.keybag) ?? []
        let begin = MoveRequest.beginAdoption(keybag: name, passcode: passcode)
        guard case .ready = try ask(begin) else { throw anotherCopy }
        do throws(KeychainError) {
            try copy(files)
            try close(storage)
        } catch {
            // The daemon uses no copy before the last step, so nothing has moved.
            try? forgetClosing(storage)
            _ = try? ask(.abandon)
            throw error
        }
        return try finish(storage, name)
    }

    /// Empties SQLite's log and takes the write lock, so that the database is one file at rest.
    private func keepWritersOut(_ store: borrowing ItemStore) throws(KeychainError) {
        for _ in 0..<100 {
            store.removeEarlierValues()
            try store.begin()
            var status = stat()
            if stat(home.database + "-wal", &status) != 0 || status.st_size == 0 { return }
            // Another program wrote in between, or still reads earlier pages.
            store.rollBack()
            usleep(50_000)
        }
        let reason = "other programs use the keychain all the time: end them, then try again"
        throw KeychainError(.notAvailable, reason)
    }

    /// Sends the files, and compares the copy with them, which the daemon has opened and checked.
    private func copy(
        _ files: [(name: String, reader: MovingFileReader)]
    ) throws(KeychainError) {
        var sent: [MovedFile] = []
        for (name, reader) in files {
            sent.append(try reader.described(as: name))
            var offset: UInt64 = 0
            while case let bytes = try reader.read(at: offset), !bytes.isEmpty {
                _ = try ask(.file(name: name, offset: offset, bytes: bytes))
                offset += UInt64(bytes.count)
            }
        }
        guard case .checked(let arrived, _) = try ask(.checkAdoption) else {
            throw .unexpectedReply
        }
        guard arrived == sent else {
            let reason = "the daemon's copy has other bytes than the files; nothing was changed"
            throw KeychainError(.io, reason)
        }
    }

    /// Closes the directory; from here on nothing reads or writes its keychain.
    private func close(_ storage: DirectoryStorage) throws(KeychainError) {
        try effects("mark that the keychain is in the daemon") { () throws(KeychainError) in
            try MovingFileWriter(home.inDaemonMark).append(
                Array("The keychain is in the daemon; see keychainctl daemon release.\n".utf8),
                at: 0,
                limit: 1024
            )
            try MoveFolder.synchronize(home.parent)
        }
        let bytes = try fromStorage(try storage.read(.keybag)) ?? []
        try effects("write keybag.moved") { () throws(KeychainError) in
            try fromStorage(try storage.replace(.movedKeybag, with: bytes))
        }
        try effects("remove lock-epoch") { () throws(KeychainError) in
            try fromStorage(try storage.remove(.lockEpoch))
        }
        try effects("remove keybag") { () throws(KeychainError) in
            try fromStorage(try storage.remove(.keybag))
        }
    }

    /// Undoes a `close` that failed, if it had begun.
    private func forgetClosing(_ storage: DirectoryStorage) throws(KeychainError) {
        guard MoveFolder.isPresent(home.inDaemonMark) else { return }
        guard MoveFolder.isPresent(home.keybag) else { return try reopen(storage) }
        try effects("remove keybag.moved") { () throws(KeychainError) in
            try fromStorage(try storage.remove(.movedKeybag))
        }
        try unmark()
    }

    /// Undoes `close`, once it is certain that the daemon has no copy in use.
    private func reopen(_ storage: DirectoryStorage) throws(KeychainError) {
        try effects("rename keybag.moved to keybag") { () throws(KeychainError) in
            try fromStorage(try storage.rename(.movedKeybag, to: .keybag))
        }
        try unmark()
    }

    private func unmark() throws(KeychainError) {
        try effects("remove the mark") { () throws(KeychainError) in
            guard unlink(home.inDaemonMark) == 0 || errno == ENOENT else {
                throw .failed("unlink", home.inDaemonMark)
            }
            try MoveFolder.synchronize(home.parent)
        }
    }

    private func finish(
        _ storage: DirectoryStorage,
        _ name: [UInt8]
    ) throws(KeychainError) -> Adopted {
        let failure: KeychainError
        do throws(KeychainError) {
            guard case .adopted(let itemCount, let aside) = try ask(.finishAdoption) else {
                throw .unexpectedReply
            }
            return Adopted(itemCount: itemCount, aside: aside)
        } catch { failure = error }
        // Perhaps only the answer was lost, so ask the daemon.
        if let adopted = try adopted(name) { return adopted }
        _ = try? ask(.abandon)
        try reopen(storage)
        throw failure
    }

    /// Returns the daemon's answer about this very keychain; nil if it does not have it.
    private func adopted(_ name: [UInt8]) throws(KeychainError) -> Adopted? {
        switch try ask(.askAdoption(keybag: name)) {
        case .adopted(let itemCount, let aside): Adopted(itemCount: itemCount, aside: aside)
        case .ready, .needsPasscode, .occupied: nil
        default: throw .unexpectedReply
        }
    }

    private func ask(_ request: MoveRequest) throws(KeychainError) -> MoveReply {
        try effects("ask the daemon") { () throws(KeychainError) in
            guard case .move(let reply) = try channel.perform(.move(request)) else {
                throw .unexpectedReply
            }
            return reply
        }
    }
}

// The rest of an earlier move.
extension KeychainDeparture {
    /// - Returns: The report of a move that only had to be finished; nil if there was none, or if
    ///   it was undone.
    private func finishEarlier() throws(KeychainError) -> Report? {
        guard MoveFolder.isPresent(home.movedKeybag) else {
            if MoveFolder.isPresent(home.keybag) { try forgetMark() }
            return nil
        }
        let storage = try fromStorage(try DirectoryStorage(path: home.directory))
        guard !MoveFolder.isPresent(home.keybag) else {
            // The move was interrupted before the directory was closed.
            try effects("remove keybag.moved") { () throws(KeychainError) in
                try fromStorage(try storage.remove(.movedKeybag))
            }
            try forgetMark()
            return nil
        }
        let name = MoveFolder.keybagName(at: home.movedKeybag) ?? []
        if let adopted = try adopted(name) {
            return Report(
                itemCount: adopted.itemCount,
                aside: try putAside(),
                groups: [],
                kept: adopted.aside
            )
        }
        _ = try? ask(.abandon)
        try storage.whileLocked { () throws(KeychainError) in try reopen(storage) }
        return nil
    }

    private func forgetMark() throws(KeychainError) {
        if MoveFolder.isPresent(home.inDaemonMark) { try unmark() }
    }

    private func putAside() throws(KeychainError) -> String {
        let aside = MoveFolder.freeName(home.beforeDaemon)
        try effects("put the directory aside") { () throws(KeychainError) in
            try MoveFolder.rename(home.directory, to: aside)
        }
        return aside
    }
}

extension KeychainHome {
    /// The parent directory.
    var parent: String {
        guard let slash = directory.lastIndex(of: "/") else { return "." }
        return slash == directory.startIndex ? "/" : String(directory[..<slash])
    }
}

extension CheckReport {
    /// The number of items, whether or not they can be opened now.
    package var itemCount: Int { rowCount - tombstoneCount }
}

extension Engine {
    /// Opens every row that the lock state allows, without naming any.
    package func wholeCheck() throws(KeychainError) -> CheckReport {
        let caller = Caller(entitlements: Entitlements(), system: .host)
        let endpoint = EngineEndpoint(engine: self, caller: caller, note: { _ in })
        return try endpoint.check(
            .everything,
            naming: { _ in },
            noting: { _ in },
            progress: { _ in }
        )
    }
}
