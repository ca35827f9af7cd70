import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

// Moving in.
extension MoveRequests {
    func askAdoption(
        _ place: AccountPlace,
        keybag: [UInt8]
    ) throws(KeychainError) -> MoveReply {
        try mend(place)
        if let adopted = try adopted(place, keybag: keybag) { return adopted }
        switch try ground(place) {
        case .nothing, .untouched: return .ready
        case .used, .released: return .needsPasscode
        case .occupied(let itemCount): return .occupied(itemCount: itemCount)
        }
    }

    func beginAdoption(
        _ place: AccountPlace,
        keybag: [UInt8],
        _ passcode: SharedSecret?,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        // From here on, a touch of the keychain disturbs the move.
        try begin(.adopting, place.account, by: mover)
        do throws(KeychainError) {
            try mend(place)
            if let adopted = try adopted(place, keybag: keybag) {
                end(place.account)
                return adopted
            }
            let ground = try ground(place)
            if case .occupied(let count) = ground { throw .occupied(itemCount: count) }
            if !ground.isFree {
                try requirePasscode(passcode, for: ground, place)
                change(place.account) { $0.proven = ground }
            }
            if try !place.isEmpty() { try requireRoomAside(place) }
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

    /// Returns the reply if the daemon has this very keychain; otherwise nil.
    private func adopted(
        _ place: AccountPlace,
        keybag: [UInt8]
    ) throws(KeychainError) -> MoveReply? {
        let present = MoveFolder.keybagName(at: place.directory + "/keybag")
        guard keybag.count == 16, present == keybag else { return nil }
        let itemCount = try keychains.engine(of: place.account).wholeCheck().itemCount
        return .adopted(itemCount: itemCount, aside: try place.aside().last)
    }

    private func ground(_ place: AccountPlace) throws(KeychainError) -> MoveGround {
        try MoveGround(place) { () throws(KeychainError) in
            try keychains.engine(of: place.account)
        }
    }

    private func requirePasscode(
        _ passcode: SharedSecret?,
        for ground: MoveGround,
        _ place: AccountPlace
    ) throws(KeychainError) {
        guard case .released(let path) = ground else {
            return try PasscodeProof.require(passcode, of: keychains.engine(of: place.account))
        }
        try requirePasscode(passcode, ofCopy: path)
    }

    /// Verifies the passcode of a keychain that is aside; its attempts are counted as usual.
    func requirePasscode(
        _ passcode: SharedSecret?,
        ofCopy path: String
    ) throws(KeychainError) {
        let engine = try open(KeychainHome(directory: path))
        defer { engine.end() }
        try PasscodeProof.require(passcode, of: engine)
    }

    /// Throws if a move would put a second keychain aside.
    func requireRoomAside(_ place: AccountPlace) throws(KeychainError) {
        guard let aside = try place.usedAside() else { return }
        throw KeychainError(
            .duplicateItem,
            "the daemon keeps \(aside), which an earlier move put aside: run keychainctl daemon"
                + " discard to remove it, then try again"
        )
    }

    func take(
        _ bytes: [UInt8],
        of name: String,
        at offset: UInt64,
        _ place: AccountPlace
    ) throws(KeychainError) {
        guard MovingFile.names.contains(name) else { throw Self.outOfOrder }
        if let byteLimit {
            guard try place.byteCount() + UInt64(bytes.count) <= byteLimit else {
                throw KeychainError(
                    .diskFull,
                    "the keychains of this account may take \(byteLimit >> 20) MiB in the daemon,"
                        + " those that moves put aside among them; run keychainctl daemon discard,"
                        + " delete items, or have --account-size raised"
                )
            }
        }
        let writer = try MovingFileWriter(place.adopting + "/" + name)
        try effects("write a portion") { () throws(KeychainError) in
            try writer.append(bytes, at: offset, limit: MovingFile.byteCountLimit(of: name))
        }
    }

    /// Makes the copy durable, digests its files as they arrived, and opens it.
    func checkAdoption(_ place: AccountPlace) throws(KeychainError) -> MoveReply {
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
        let itemCount = report.itemCount
        change(place.account) { $0.step = .checked(itemCount: itemCount) }
        return .checked(files, itemCount: itemCount)
    }

    func finishAdoption(
        _ place: AccountPlace,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        let known = state.withLock { $0.moves[place.account] }
        guard let known, known.mover == mover, case .checked(let itemCount) = known.step else {
            throw Self.outOfOrder
        }
        try keychains.whileClosed(place.account) { () throws(KeychainError) in
            try requireUnchanged(place, since: known)
            if try !place.isEmpty() {
                try effects("put the earlier keychain aside") { () throws(KeychainError) in
                    try MoveFolder.rename(place.directory, to: place.replaced)
                }
            } else {
                try MoveFolder.remove(place.directory)
            }
            try effects("put the copy in its place") { () throws(KeychainError) in
                try MoveFolder.rename(place.adopting, to: place.directory)
            }
            end(place.account)
            try mend(place)
        }
        return .adopted(itemCount: itemCount, aside: try place.aside().last)
    }

    /// Checks the present keychain again, now that nothing can change it.
    private func requireUnchanged(
        _ place: AccountPlace,
        since move: Move
    ) throws(KeychainError) {
        let isDisturbed = state.withLock { $0.moves[place.account]?.isDisturbed } ?? true
        var opened: Engine?
        defer { opened?.end() }
        let ground = try MoveGround(place) { () throws(KeychainError) in
            let engine = try open(KeychainHome(directory: place.directory))
            opened = engine
            return engine
        }
        guard !isDisturbed, ground.isFree || ground == move.proven else {
            throw KeychainError(
                .duplicateItem,
                "another program used the daemon's keychain meanwhile, so nothing replaced it; try"
                    + " again"
            )
        }
    }
}
