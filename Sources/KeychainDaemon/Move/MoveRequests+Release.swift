import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

// Moving out.
extension MoveRequests {
    func beginRelease(
        _ place: AccountPlace,
        passcode: SharedSecret,
        by mover: Mover
    ) throws(KeychainError) -> MoveReply {
        try mend(place)
        if try place.isEmpty() {
            guard let aside = try place.newestReleased() else {
                let reason = "the daemon has no keychain of this account"
                throw KeychainError(.noSuchKeychain, reason)
            }
            return .released(aside: aside)
        }
        try requireRoomAside(place)
        try PasscodeProof.require(passcode, of: keychains.engine(of: place.account))
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

    func finishRelease(_ place: AccountPlace) throws(KeychainError) -> MoveReply {
        let aside = MoveFolder.freeName("\(place.directory).released-\(now())")
        try keychains.whileClosed(place.account) { () throws(KeychainError) in
            try effects("put the released keychain aside") { () throws(KeychainError) in
                try MoveFolder.rename(place.directory, to: aside)
            }
            try place.dropUntouchedAside()
        }
        end(place.account)
        return .released(aside: aside)
    }

    /// Removes the keychains that moves have put aside.
    ///
    /// It requires the passcode of the keychain in use, or of the one that was released last.
    func discard(
        _ place: AccountPlace,
        _ passcode: SharedSecret?
    ) throws(KeychainError) -> MoveReply {
        try mend(place)
        let aside = try place.aside()
        guard let newest = aside.last else {
            throw KeychainError(.itemNotFound, "the daemon keeps no keychain of yours aside")
        }
        if try place.usedAside() != nil {
            if try place.isEmpty() {
                try requirePasscode(passcode, ofCopy: try place.newestReleased() ?? newest)
            } else {
                try PasscodeProof.require(passcode, of: keychains.engine(of: place.account))
            }
        }
        for path in aside {
            // Under this name it is no longer a keychain, even if a crash leaves parts of it.
            try MoveFolder.rename(path, to: place.discarded)
            try MoveFolder.removeKeychain(place.discarded)
        }
        return .discarded(aside)
    }
}
