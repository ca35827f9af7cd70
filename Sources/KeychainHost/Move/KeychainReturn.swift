import DataProtection
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

// Invariants   (1) `.released` is complete, durable and checked as soon as it has that name.
//              (2) The daemon puts its keychain aside only after that, and the directory gets its
//                  name only after the daemon has done so.
//              (3) `.released` is removed only if the daemon has the same keychain. Otherwise it
//                  may be the only copy.
//
// Source: Documentation/Spec/adoption.md §4.

/// A move of an account's keychain out of a daemon into a directory.
package struct KeychainReturn {
    /// The result of a move.
    package struct Report: Sendable, Hashable {
        /// The number of items; nil if this only finished an earlier move.
        package let itemCount: Int?
        /// The present place of the daemon's copy.
        package let aside: String
        /// The present places of a directory that had the name, and of another keychain that an
        /// earlier move left.
        package var kept: [String] = []
    }

    private let home: KeychainHome
    private let channel: any DaemonChannel
    private let effects: MoveEffects
    private let open: (KeychainHome) throws(KeychainError) -> Engine

    package init(
        _ home: KeychainHome,
        from channel: any DaemonChannel,
        effects: MoveEffects = MoveEffects(),
        open: @escaping (KeychainHome) throws(KeychainError) -> Engine
    ) {
        self.home = home
        self.channel = channel
        self.effects = effects
        self.open = open
    }

    /// Moves the keychain, or finishes an interrupted move.
    ///
    /// - Parameter passcode: The keychain's passcode, which the daemon requires.
    /// - Returns: The result.
    /// - Throws: The error that prevents the move. The keychain is then in its old place.
    package func run(passcode: SharedSecret) throws(KeychainError) -> Report {
        try requireRoom()
        let reply = try ask(.beginRelease(passcode: passcode))
        if case .released(let aside) = reply {
            // An earlier move was interrupted after the daemon's last step.
            guard MoveFolder.isPresent(home.completeReturn) else {
                let reason =
                    "the daemon has released the keychain already, to another directory than"
                    + " \(home.directory)"
                throw KeychainError(.noSuchKeychain, reason)
            }
            return Report(itemCount: nil, aside: aside, kept: try takePlace())
        }
        guard case .files(let files) = reply else { throw .unexpectedReply }
        let itemCount: Int
        var kept: [String] = []
        do throws(KeychainError) { itemCount = try copy(files, &kept) } catch {
            _ = try? ask(.abandon)
            throw error
        }
        guard case .released(let aside) = try ask(.finishRelease) else { throw .unexpectedReply }
        return Report(itemCount: itemCount, aside: aside, kept: try kept + takePlace())
    }

    /// Throws while a move out is unfinished, before the daemon's copy may be removed.
    package func requireFinished() throws(KeychainError) {
        guard MoveFolder.isPresent(home.completeReturn) else { return }
        let reason =
            "an earlier move out of the daemon was interrupted, and \(home.completeReturn) has the"
            + " keychain; run keychainctl daemon release to finish it"
        throw KeychainError(.notAvailable, reason)
    }

    /// Throws if another keychain is in the place of the directory.
    private func requireRoom() throws(KeychainError) {
        guard !MoveFolder.isPresent(home.movedKeybag) else {
            let reason =
                "an earlier move was interrupted; run keychainctl daemon adopt to finish it"
            throw KeychainError(.notAvailable, reason)
        }
        guard MoveFolder.isPresent(home.directory) else {
            // An account that always used the daemon has no data directory yet.
            try fromStorage(OwnDirectory.make(home.parent))
            return
        }
        guard try hasNoKeychain(home.directory) else {
            let reason =
                "\(home.directory) has a keychain already: move it away, then run keychainctl"
                + " daemon release again"
            throw KeychainError(.duplicateItem, reason)
        }
    }

    /// Whether a directory has none of the files that move; a program that only locks leaves
    /// others.
    private func hasNoKeychain(_ directory: String) throws(KeychainError) -> Bool {
        try MoveFolder.names(in: directory).allSatisfy { !MovingFile.names.contains($0) }
    }

    private func copy(
        _ files: [MovedFile],
        _ kept: inout [String]
    ) throws(KeychainError) -> Int {
        guard files.map(\.name).sorted() == MovingFile.names.sorted() else {
            throw .unexpectedReply
        }
        let unfinished = home.unfinishedReturn
        try effects("remove what an earlier move left") { () throws(KeychainError) in
            // The daemon has the keychain, so this is only a part of a copy.
            try MoveFolder.remove(unfinished)
        }
        try effects("make a directory") { () throws(KeychainError) in
            try MoveFolder.make(unfinished)
        }
        for file in files { try copy(file, to: unfinished + "/" + file.name) }
        try MoveFolder.synchronize(unfinished)
        let engine = try open(KeychainHome(directory: unfinished))
        let report: CheckReport
        do {
            defer { engine.end() }
            report = try engine.wholeCheck()
        }
        try makeWay(for: unfinished, &kept)
        try effects("name the copy") { () throws(KeychainError) in
            try MoveFolder.rename(unfinished, to: home.completeReturn)
        }
        return report.itemCount
    }

    /// Removes an earlier copy of the same keychain, and puts any other one aside.
    private func makeWay(
        for copy: String,
        _ kept: inout [String]
    ) throws(KeychainError) {
        let earlier = home.completeReturn
        guard MoveFolder.isPresent(earlier) else { return }
        let names = (MoveFolder.keybagName(in: earlier), MoveFolder.keybagName(in: copy))
        if let name = names.0, name == names.1 {
            try effects("remove an earlier copy") { () throws(KeychainError) in
                try MoveFolder.remove(earlier)
            }
        } else {
            kept.append(try putAside(earlier, as: earlier + "-before"))
        }
    }

    private func putAside(_ path: String, as wanted: String) throws(KeychainError) -> String {
        let name = MoveFolder.freeName(wanted)
        try effects("put something aside") { () throws(KeychainError) in
            try MoveFolder.rename(path, to: name)
        }
        return name
    }

    private func copy(_ file: MovedFile, to path: String) throws(KeychainError) {
        let writer = try MovingFileWriter(path)
        var offset: UInt64 = 0
        while offset < file.byteCount {
            let request = MoveRequest.read(name: file.name, offset: offset)
            guard case .bytes(let bytes) = try ask(request), !bytes.isEmpty else {
                throw .unexpectedReply
            }
            try effects("write a portion") { () throws(KeychainError) in
                let limit = MovingFile.byteCountLimit(of: file.name)
                try writer.append(bytes, at: offset, limit: limit)
            }
            offset += UInt64(bytes.count)
        }
        try writer.synchronize()
        let copied = try MovingFileReader(path).described(as: file.name)
        guard copied == file else {
            let reason = "\(path) is another file than the daemon's; nothing was changed"
            throw KeychainError(.io, reason)
        }
    }

    /// Renames the copy to the directory's name.
    ///
    /// A program may have created the directory meanwhile, for a lock or for a keychain of its own.
    /// - Returns: The new place of that directory.
    private func takePlace() throws(KeychainError) -> [String] {
        var kept: [String] = []
        if MoveFolder.isPresent(home.directory),
            try !MoveFolder.names(in: home.directory).isEmpty
        {
            kept.append(try putAside(home.directory, as: home.directory + ".before-release"))
        }
        try effects("give the copy its place") { () throws(KeychainError) in
            try MoveFolder.rename(home.completeReturn, to: home.directory)
        }
        try effects("remove the mark") { () throws(KeychainError) in
            guard unlink(home.inDaemonMark) == 0 || errno == ENOENT else {
                throw .failed("unlink", home.inDaemonMark)
            }
            try MoveFolder.synchronize(home.parent)
        }
        return kept
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
