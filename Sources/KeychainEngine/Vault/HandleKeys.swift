import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Definitions  "handle key": the key of one class and one key set that wraps the keys of handles.
// Invariants   (1) A handle key is in memory only during the call that uses it.
//              (2) New handles use a key that was created in the present key set: a copy from
//                  before a change of passcode opens none of them.
//              (3) A change of passcode rewraps the handle keys in its transaction. Their handles
//                  stay as they are, because programs keep them.
//
// Source: Documentation/Spec/item.md §8.
extension ItemVault {
    /// Returns the key for new handles of a class; creates one if this key set has none.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the class is closed; `errSecAuthFailed` for a
    ///   class that needs a passcode if none is set; `errSecDecode` if the row is damaged.
    mutating func newestHandleKey(
        of protection: ProtectionClass,
        _ session: inout DeviceSession
    ) throws(KeychainError) -> HandleKey {
        let keySet = session.device.keySet
        if let key = try handleKey(of: protection, in: keySet, session) { return key }
        // Another process may do the same, so the transaction looks again.
        return try inTransaction(&session) { vault, session throws(KeychainError) in
            try vault.presentHandleKey(of: protection, session)
        }
    }

    /// Does the same in the open transaction.
    func presentHandleKey(
        of protection: ProtectionClass,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> HandleKey {
        let keySet = session.device.keySet
        if let key = try handleKey(of: protection, in: keySet, session) { return key }
        let random = environment.random
        let key = try fromCryptography(try HandleKey(protection, of: keySet, random: random))
        let row = try session.withClassKey(protection) { classKey throws(CryptographyError) in
            try key.sealed(under: classKey, random: random)
        }
        try store.insert(row)
        return key
    }

    /// Returns the key for handles of a class from one key set; nil if this keychain has none.
    ///
    /// - Throws: As `newestHandleKey`.
    func handleKey(
        of protection: ProtectionClass,
        in keySet: [UInt8],
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> HandleKey? {
        guard let row = try store.handleKey(of: protection, in: keySet) else { return nil }
        return try open(row, session)
    }

    /// Opens the key of a row.
    func open(
        _ row: HandleKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> HandleKey {
        do throws(KeychainError) {
            return try session.withClassKey(row.protection) { key throws(CryptographyError) in
                try HandleKey(opening: row, under: key)
            }
        } catch {
            guard error.status == .decode else { throw error }
            try requireKeySet(of: session)
            throw .damagedHandleKey
        }
    }

    /// Rewraps all handle keys, in the transaction of a change of passcode.
    ///
    /// - Returns: The number of rows that do not open; they stay unchanged.
    func renewHandleKeys(
        under successor: borrowing KeybagSuccessor,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Int {
        let random = environment.random
        var unopened = 0
        for row in try store.handleKeys() {
            do throws(KeychainError) {
                let key = try open(row, session)
                let renewed = try successor.withKey(row.protection) {
                    classKey throws(KeychainError) in
                    try fromCryptography(try key.sealed(under: classKey, random: random))
                }
                if let renewed { try store.rewrap(renewed) }
            } catch {
                guard error.status == .decode else { throw error }
                unopened += 1
            }
        }
        return unopened
    }
}

extension KeychainError {
    /// The error for a damaged handle key.
    static var damagedHandleKey: KeychainError {
        KeychainError(
            .decode,
            "the key of handles of this class is damaged, or somebody changed it;"
                + " run keychainctl check"
        )
    }
}
