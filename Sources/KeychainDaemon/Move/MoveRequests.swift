import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "mover": the session that moves an account's keychain; one at a time per account.
//              "aside": put aside by a move; at most one such keychain was ever touched.
// States
//
//     none ──beginAdoption──▸ adopting ──checkAdoption──▸ checked ──finishAdoption──▸ none
//       │                        └──────────abandon, end of session──────────▸ none
//       └──beginRelease──▸ releasing ──finishRelease, abandon, end of session──▸ none
//
// Invariants   (1) The account's directory has its name only while it is a complete keychain, or
//                  has nothing but the mark of a future one.
//              (2) A copy gets that name only after it was opened and fully checked, and it has not
//                  changed since: one step of an account runs at a time.
//              (3) While a keychain is released, nothing opens it.
//              (4) Replacing a touched keychain requires its passcode, and the keychain must not
//                  have been touched since.
//
// Source: Documentation/Spec/adoption.md.

/// The keychains that a daemon opens, as moves use them.
package protocol MovableKeychains: Sendable {
    /// Returns the engine of an account's keychain, and opens it if necessary.
    func engine(of account: UInt32) throws(KeychainError) -> Engine

    /// Closes an account's keychain, and runs `body` while it is closed; calls wait meanwhile.
    func whileClosed<R>(
        _ account: UInt32,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R
}

/// A daemon's side of moving an account's keychain in or out.
package final class MoveRequests: Sendable {
    /// The ID of the session that moves.
    package typealias Mover = UInt64

    enum Step: Sendable {
        case adopting
        case checked(itemCount: Int)
        case releasing
    }

    struct Move: Sendable {
        let mover: Mover
        var step: Step
        /// The state that the copy may replace, because its passcode was proven.
        var proven: MoveGround?
        /// Whether the account's keychain was touched since the move began.
        var isDisturbed = false
    }

    struct State: Sendable {
        var moves: [UInt32: Move] = [:]
        /// The accounts with a step in progress.
        var busy: Set<UInt32> = []
        /// The accounts whose keychain is known to be touched.
        var touched: Set<UInt32> = []
        /// The number of keychains created for each account.
        var makings: [UInt32: Int] = [:]
    }

    let directory: String
    let keychains: any MovableKeychains
    let effects: MoveEffects
    /// The most bytes of all keychains of an account; nil for no limit.
    let byteLimit: UInt64?
    let now: @Sendable () -> Int64
    let open: @Sendable (KeychainHome) throws(KeychainError) -> Engine
    let state = AdaptiveMutex(State())

    /// - Parameters:
    ///   - state: The directory that has a directory for each account, by its user ID.
    ///   - keychains: The open keychains.
    ///   - effects: A hook before each effect.
    ///   - byteLimit: The most bytes of an account's keychains, including those aside.
    ///   - now: Returns seconds since 1970.
    ///   - open: Opens the keychain of any directory, to check it.
    package init(
        state: String,
        keychains: any MovableKeychains,
        effects: MoveEffects = MoveEffects(),
        byteLimit: UInt64? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
        open: @escaping @Sendable (KeychainHome) throws(KeychainError) -> Engine
    ) {
        directory = state
        self.keychains = keychains
        self.effects = effects
        self.byteLimit = byteLimit
        self.now = now
        self.open = open
    }

    /// Carries out one step for a session.
    ///
    /// - Parameters:
    ///   - request: The step.
    ///   - account: The account whose keychain moves.
    ///   - mover: The session; only this session can continue its move.
    /// - Returns: The reply.
    /// - Throws: `errSecParam` for a step out of order; `errSecNotAvailable` while another session
    ///   moves the keychain; `errSecDuplicateItem` if the daemon has items of the account;
    ///   `errSecAuthFailed` without the passcode that the step requires.
    package func perform(
        _ request: MoveRequest,
        for account: UInt32,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        guard state.withLock({ $0.busy.insert(account).inserted }) else { throw Self.anotherMove }
        defer { state.withLock { _ = $0.busy.remove(account) } }
        let place = AccountPlace(state: directory, account: account)
        switch request {
        case .askAdoption(let keybag): return try askAdoption(place, keybag: keybag)
        case .beginAdoption(let keybag, let passcode):
            return try beginAdoption(place, keybag: keybag, passcode, by: mover)
        case .file(let name, let offset, let bytes):
            try require(.adopting, account, mover)
            try take(bytes, of: name, at: offset, place)
            return .ready
        case .checkAdoption:
            try require(.adopting, account, mover)
            return try checkAdoption(place)
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
        case .discard(let passcode): return try discard(place, passcode)
        case .abandon:
            try abandon(account, by: mover)
            return .ready
        }
    }

    /// Ends a session's move; call it when the session ends, too.
    package func abandon(_ account: UInt32, by mover: Mover) throws(KeychainError) {
        let ended = state.withLock { state -> Move? in
            guard let move = state.moves[account], move.mover == mover else { return nil }
            state.moves[account] = nil
            return move
        }
        guard let ended else { return }
        if case .releasing = ended.step { return }
        let place = AccountPlace(state: directory, account: account)
        try effects("remove the copy") { () throws(KeychainError) in
            try MoveFolder.remove(place.adopting)
        }
    }
}

// The mover and its step.
extension MoveRequests {
    enum StepName { case adopting, releasing }

    static let outOfOrder = KeychainError(.param, "this step of a move is out of order")

    private static let anotherMove = KeychainError(
        .notAvailable,
        "another program moves the keychain; wait until it ends"
    )

    /// Begins a move; throws while another session moves the keychain.
    func begin(_ step: Step, _ account: UInt32, by mover: Mover) throws(KeychainError) {
        try state.withLock { state throws(KeychainError) in
            if let known = state.moves[account], known.mover != mover { throw Self.anotherMove }
            state.moves[account] = Move(mover: mover, step: step)
        }
    }

    private func require(
        _ name: StepName,
        _ account: UInt32,
        _ mover: Mover
    ) throws(KeychainError) {
        let move = state.withLock { $0.moves[account] }
        guard let move, move.mover == mover else { throw Self.outOfOrder }
        switch (name, move.step) {
        case (.adopting, .adopting), (.releasing, .releasing): return
        default: throw Self.outOfOrder
        }
    }

    func change(_ account: UInt32, _ body: @Sendable (inout Move) -> Void) {
        state.withLock { state in
            guard var move = state.moves[account] else { return }
            body(&move)
            state.moves[account] = move
        }
    }

    func end(_ account: UInt32) { state.withLock { $0.moves[account] = nil } }
}

// Preparing a directory before a keychain is opened, and recording touches.
extension MoveRequests {
    /// Repairs the rest of a crash, and creates the directory of a new keychain.
    ///
    /// Call it before an account's keychain is opened.
    ///
    /// - Throws: `errSecNotAvailable` while the keychain is being released, and after it was: a new
    ///   one in its place would look like the loss of all items.
    package func prepareOpening(of account: UInt32) throws(KeychainError) {
        let move = state.withLock { $0.moves[account] }
        if case .releasing? = move?.step {
            throw KeychainError(.notAvailable, "the keychain is being released; try again soon")
        }
        let place = AccountPlace(state: directory, account: account)
        try mend(place)
        if move == nil, !state.withLock({ $0.busy.contains(account) }) {
            try MoveFolder.remove(place.adopting)
        }
        guard try place.isEmpty() else { return }
        if let aside = try place.newestReleased() {
            throw KeychainError(
                .notAvailable,
                "the keychain was released from the daemon, which keeps its copy in \(aside): set"
                    + " KEYCHAIN_SOCKET= to use the one in your directory, or run keychainctl"
                    + " daemon adopt"
            )
        }
        state.withLock { state in
            state.touched.remove(account)
            state.makings[account, default: 0] += 1
        }
        try place.makeUntouched()
    }

    /// Records that the keychain is about to be touched; durable when the call returns.
    package func willTouch(_ account: UInt32) throws(KeychainError) {
        let (isKnown, making) = state.withLock { state in
            state.moves[account]?.isDisturbed = true
            return (state.touched.contains(account), state.makings[account])
        }
        guard !isKnown else { return }
        try AccountPlace(state: directory, account: account).touch()
        state.withLock { state in
            if state.makings[account] == making { state.touched.insert(account) }
        }
    }

    /// Records that the keychain was touched, before the caller gets the reply.
    ///
    /// A move that began meanwhile then does not replace it.
    package func didTouch(_ account: UInt32) {
        state.withLock { $0.moves[account]?.isDisturbed = true }
    }

    /// Completes or undoes the last step of a move that a crash interrupted.
    func mend(_ place: AccountPlace) throws(KeychainError) {
        if MoveFolder.isPresent(place.discarded) { try MoveFolder.removeKeychain(place.discarded) }
        guard MoveFolder.isPresent(place.replaced) else { return }
        guard try !place.isEmpty() else {
            return try effects("put the keychain back") { () throws(KeychainError) in
                try MoveFolder.remove(place.directory)
                try MoveFolder.rename(place.replaced, to: place.directory)
            }
        }
        try effects("name the earlier keychain by its time") { () throws(KeychainError) in
            let name = MoveFolder.freeName("\(place.replaced)-\(now())")
            try MoveFolder.rename(place.replaced, to: name)
            try place.dropUntouchedAside()
        }
    }
}
