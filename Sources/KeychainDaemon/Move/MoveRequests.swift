import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "mover": the session that moves an account's keychain; one at a time per account.
// States
//
//     none ──beginAdoption──▸ adopting ──checkAdoption──▸ checked ──finishAdoption──▸ none
//       │                        └──────────abandon, end of session──────────▸ none
//       └──beginRelease──▸ releasing ──finishRelease, abandon, end of session──▸ none
//
// Invariants   (1) The account's directory has its name only while it is a complete keychain.
//              (2) A copy gets that name only after it was opened and checked whole.
//              (3) While a keychain is released, nothing opens it.
//
// Source: Documentation/Spec/adoption.md.

/// The keychains that a daemon opens, as far as a move is concerned.
package protocol MovableKeychains: Sendable {
    /// The engine of an account's keychain, opened if it is not.
    func engine(of account: UInt32) throws(KeychainError) -> Engine

    /// Closes an account's keychain, and works while it is closed; calls wait meanwhile.
    func whileClosed<R>(
        _ account: UInt32,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R
}

/// What a daemon does when an account's keychain moves in or out.
package final class MoveRequests: Sendable {
    /// The session that asks.
    package typealias Mover = UInt64

    private enum Step: Sendable {
        case adopting
        case checked(itemCount: Int)
        case releasing
    }

    private struct Move: Sendable {
        let mover: Mover
        var step: Step
    }

    private let state: String
    private let keychains: any MovableKeychains
    private let effects: MoveEffects
    private let now: @Sendable () -> Int64
    private let open: @Sendable (KeychainHome) throws(KeychainError) -> Engine
    private let moves = AdaptiveMutex<[UInt32: Move]>([:])

    /// - Parameters:
    ///   - state: The directory that has a directory for each account, by its number.
    ///   - keychains: What is open.
    ///   - effects: What stands in front of each effect.
    ///   - now: Seconds since 1970.
    ///   - open: Opens the keychain of any directory, to check it.
    package init(
        state: String,
        keychains: any MovableKeychains,
        effects: MoveEffects = MoveEffects(),
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
        open: @escaping @Sendable (KeychainHome) throws(KeychainError) -> Engine
    ) {
        self.state = state
        self.keychains = keychains
        self.effects = effects
        self.now = now
        self.open = open
    }

    /// Carries out one step for a session.
    ///
    /// - Parameters:
    ///   - request: The step.
    ///   - account: Whose keychain moves.
    ///   - mover: The session; it is the only one that goes on with a move.
    /// - Returns: What there is to answer.
    /// - Throws: `errSecParam` for a step out of order; `errSecNotAvailable` while another session
    ///   moves the keychain; `errSecDuplicateItem` if the daemon has items of the account.
    package func perform(
        _ request: MoveRequest,
        for account: UInt32,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        let place = AccountPlace(state: state, account: account)
        switch request {
        case .beginAdoption(let keybag):
            return try beginAdoption(place, keybag: keybag, by: mover)
        case .file(let name, let offset, let bytes):
            try require(.adopting, account, mover)
            try take(bytes, of: name, at: offset, place)
            return .ready
        case .checkAdoption:
            try require(.adopting, account, mover)
            return try checkAdoption(place, by: mover)
        case .finishAdoption: return try finishAdoption(place, by: mover)
        case .beginRelease(let passcode):
            return try beginRelease(place, passcode: passcode, by: mover)
        case .read(let name, let offset):
            try require(.releasing, account, mover)
            guard MovingFile.names.contains(name) else { throw Self.outOfOrder }
            let reader = try MovingFileReader(place.directory + "/" + name)
            return .bytes(try reader.read(at: offset))
        case .finishRelease:
            try require(.releasing, account, mover)
            return try finishRelease(place)
        case .abandon:
            try abandon(account, by: mover)
            return .ready
        }
    }

    /// Ends what a session had begun; to be called when it ends, too.
    package func abandon(_ account: UInt32, by mover: Mover) throws(KeychainError) {
        let ended = moves.withLock { moves -> Move? in
            guard let move = moves[account], move.mover == mover else { return nil }
            moves[account] = nil
            return move
        }
        guard let ended else { return }
        if case .releasing = ended.step { return }
        let place = AccountPlace(state: state, account: account)
        try effects("remove the copy") { () throws(KeychainError) in
            try MoveFolder.remove(place.adopting)
        }
    }

    /// Mends what a crash left; to be called before an account's keychain is opened.
    ///
    /// - Throws: `errSecNotAvailable` while the keychain is being released, and where it was: a
    ///   new one in its place would look like the loss of all items.
    package func prepareOpening(of account: UInt32) throws(KeychainError) {
        let isReleasing = moves.withLock { moves in
            if case .releasing? = moves[account]?.step { true } else { false }
        }
        guard !isReleasing else {
            throw KeychainError(.notAvailable, "the keychain is being released; try again soon")
        }
        let place = AccountPlace(state: state, account: account)
        try mend(place)
        guard !MoveFolder.isPresent(place.directory), let aside = try place.newestReleased() else {
            return
        }
        throw KeychainError(
            .notAvailable,
            "the keychain was released from the daemon, which keeps its copy in \(aside): set"
                + " KEYCHAIN_SOCKET= to use the one in your directory, or run keychainctl daemon"
                + " adopt"
        )
    }
}

// Moving in.
extension MoveRequests {
    private func beginAdoption(
        _ place: AccountPlace,
        keybag: [UInt8],
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        try begin(.adopting, place.account, by: mover)
        do throws(KeychainError) {
            if let itemCount = try presentItems(place) {
                let present = MoveFolder.keybagName(at: place.directory + "/keybag")
                if keybag.count == 16, present == keybag {
                    end(place.account)
                    return .adopted(itemCount: itemCount)
                }
                guard itemCount == 0 else { throw Self.hasItems(itemCount) }
            }
            try effects("remove what an earlier move left") { () throws(KeychainError) in
                try MoveFolder.remove(place.adopting)
            }
            try effects("make a directory") { () throws(KeychainError) in
                try MoveFolder.make(place.adopting)
            }
            return .ready
        } catch {
            end(place.account)
            throw error
        }
    }

    /// How many items the daemon has of the account; nil if it has no keychain of it.
    private func presentItems(_ place: AccountPlace) throws(KeychainError) -> Int? {
        try mend(place)
        guard MoveFolder.isPresent(place.directory) else { return nil }
        return try keychains.engine(of: place.account).wholeCheck().itemCount
    }

    private static func hasItems(_ count: Int) -> KeychainError {
        let items = count == 1 ? "an item" : "\(count) items"
        return KeychainError(
            .duplicateItem,
            "the daemon already has \(items) of this account; to bring the others in, run"
                + " KEYCHAIN_SOCKET= keychainctl backup FILE, then keychainctl restore FILE"
        )
    }

    private func take(
        _ bytes: [UInt8],
        of name: String,
        at offset: UInt64,
        _ place: AccountPlace
    ) throws(KeychainError) {
        guard MovingFile.names.contains(name) else { throw Self.outOfOrder }
        let writer = try MovingFileWriter(place.adopting + "/" + name)
        try effects("write a portion") { () throws(KeychainError) in
            try writer.append(bytes, at: offset, limit: MovingFile.byteCountLimit(of: name))
        }
    }

    /// Makes the copy durable, digests its files as they came, and opens it.
    private func checkAdoption(
        _ place: AccountPlace,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        var files: [MovedFile] = []
        for name in MovingFile.names {
            let path = place.adopting + "/" + name
            guard MoveFolder.isPresent(path) else {
                throw KeychainError(.param, "\(name) of the keychain has not arrived")
            }
            try MovingFileWriter(path).synchronize()
            files.append(try MovingFileReader(path).described(as: name))
        }
        let engine = try open(KeychainHome(directory: place.adopting))
        let report: CheckReport
        do {
            defer { engine.end() }
            report = try engine.wholeCheck()
        }
        try MoveFolder.synchronize(place.adopting)
        set(.checked(itemCount: report.itemCount), place.account)
        return .checked(files, itemCount: report.itemCount)
    }

    private func finishAdoption(
        _ place: AccountPlace,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        let known = moves.withLock { $0[place.account] }
        guard let known, known.mover == mover, case .checked(let itemCount) = known.step else {
            throw Self.outOfOrder
        }
        try keychains.whileClosed(place.account) { () throws(KeychainError) in
            if MoveFolder.isPresent(place.directory) {
                try effects("put the empty keychain aside") { () throws(KeychainError) in
                    try MoveFolder.rename(place.directory, to: place.replaced)
                }
            }
            try effects("put the copy in its place") { () throws(KeychainError) in
                try MoveFolder.rename(place.adopting, to: place.directory)
            }
            end(place.account)
            try mend(place)
        }
        return .adopted(itemCount: itemCount)
    }

    /// Goes on, or back, where a crash interrupted `finishAdoption`.
    private func mend(_ place: AccountPlace) throws(KeychainError) {
        guard MoveFolder.isPresent(place.replaced) else { return }
        guard MoveFolder.isPresent(place.directory) else {
            return try effects("put the empty keychain back") { () throws(KeychainError) in
                try MoveFolder.rename(place.replaced, to: place.directory)
            }
        }
        try effects("name the empty keychain by its time") { () throws(KeychainError) in
            let name = MoveFolder.freeName("\(place.replaced)-\(now())")
            try MoveFolder.rename(place.replaced, to: name)
        }
    }
}

// Moving out.
extension MoveRequests {
    private func beginRelease(
        _ place: AccountPlace,
        passcode: SharedSecret,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        try mend(place)
        guard MoveFolder.isPresent(place.directory) else {
            guard let aside = try place.newestReleased() else {
                let reason = "the daemon has no keychain of this account"
                throw KeychainError(.noSuchKeychain, reason)
            }
            return .released(aside: aside)
        }
        let engine = try keychains.engine(of: place.account)
        guard try engine.isPasscodeSet else {
            let reason =
                "the keychain has no passcode, so the daemon cannot tell its owner from a program;"
                + " run keychainctl passcode set, then try again"
            throw KeychainError(.authFailed, reason)
        }
        try engine.verify(passcode: passcode)
        try begin(.releasing, place.account, by: mover)
        do throws(KeychainError) {
            return try keychains.whileClosed(place.account) { () throws(KeychainError) in
                try settle(place)
                var files: [MovedFile] = []
                for name in MovingFile.names {
                    let reader = try MovingFileReader(place.directory + "/" + name)
                    files.append(try reader.described(as: name))
                }
                return .files(files)
            }
        } catch {
            end(place.account)
            throw error
        }
    }

    /// Moves SQLite's log into the database.
    private func settle(_ place: AccountPlace) throws(KeychainError) {
        let database = place.directory + "/keychain.db"
        do {
            let store = try ItemStore(opening: database)
            store.removeEarlierValues(.long)
        }
        var status = stat()
        guard stat(database + "-wal", &status) != 0 || status.st_size == 0 else {
            throw KeychainError(.notAvailable, "\(database) is in use; try again")
        }
    }

    private func finishRelease(_ place: AccountPlace) throws(KeychainError) -> MoveReply {
        let aside = MoveFolder.freeName("\(place.directory).released-\(now())")
        try keychains.whileClosed(place.account) { () throws(KeychainError) in
            try effects("put the released keychain aside") { () throws(KeychainError) in
                try MoveFolder.rename(place.directory, to: aside)
            }
        }
        end(place.account)
        return .released(aside: aside)
    }
}

// Who is at which step.
extension MoveRequests {
    private enum StepName { case adopting, releasing }

    private static let outOfOrder = KeychainError(.param, "this step of a move is out of order")

    private func begin(
        _ step: Step,
        _ account: UInt32,
        by mover: Mover
    ) throws(KeychainError) {
        try moves.withLock { moves throws(KeychainError) in
            if let known = moves[account], known.mover != mover {
                throw KeychainError(
                    .notAvailable,
                    "another program moves the keychain; wait until it ends"
                )
            }
            moves[account] = Move(mover: mover, step: step)
        }
    }

    private func require(
        _ name: StepName,
        _ account: UInt32,
        _ mover: Mover
    ) throws(KeychainError) {
        let move = moves.withLock { $0[account] }
        guard let move, move.mover == mover else { throw Self.outOfOrder }
        switch (name, move.step) {
        case (.adopting, .adopting), (.releasing, .releasing): return
        default: throw Self.outOfOrder
        }
    }

    private func set(_ step: Step, _ account: UInt32) {
        moves.withLock { $0[account]?.step = step }
    }

    private func end(_ account: UInt32) { moves.withLock { $0[account] = nil } }
}
