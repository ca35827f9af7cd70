import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "file key set": a key for each file class, under one random name; not the
//              "key set" of a keybag, which names the class keys of items.
// Invariants   (1) The key of a file class is in memory only during the call that uses it.
//              (2) A new passcode adds a file key set, and rewraps the earlier ones under the new
//                  class keys, in the same transaction.
//              (3) Nothing is wrapped for a public key whose code is not this keychain's.
//
// Source: Documentation/Spec/file-keys.md.
extension ItemVault {
    /// The most key sets: each change of the passcode adds one, and none is removed.
    static let fileKeySetLimit = 64

    /// Returns the key of a file class for new files; creates one if the keychain has none.
    ///
    /// - Throws: `errSecInteractionNotAllowed` if there is none and the keychain is locked;
    ///   `errSecDecode` if the row is damaged.
    mutating func newestFileKey(
        of fileClass: FileClass,
        _ session: inout DeviceSession
    ) throws(KeychainError) -> FileKeyRow {
        if let row = try store.newestFileKey(of: fileClass) { return try sound(row, session) }
        return try inTransaction(&session) { vault, session throws(KeychainError) in
            // Another process may have added one while this one waited.
            if let row = try vault.store.newestFileKey(of: fileClass) {
                return try vault.sound(row, session)
            }
            for fileClass in FileClass.allCases { try session.requireOpen(fileClass) }
            try vault.addFileKeySet(session) { guardian, key throws(KeychainError) in
                try session.withClassKey(guardian) { guardian throws(CryptographyError) in
                    try guardian.wrap(key)
                }
            }
            guard let row = try vault.store.newestFileKey(of: fileClass) else {
                throw KeychainError(.internal, "a new set of file keys is not there")
            }
            return row
        }
    }

    /// Adds a key set in the open transaction; does nothing at the limit.
    func addFileKeySet(
        _ session: borrowing DeviceSession,
        wrap: (ProtectionClass, borrowing Secret) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) {
        guard try store.fileKeySetCount() < Self.fileKeySetLimit else { return }
        let random = environment.random
        let name = try fromCryptography(try random.bytes(WrappedFileKey.keySetByteCount))
        let first = try store.nextFileKeyNumber()
        for (offset, fileClass) in FileClass.allCases.enumerated() {
            let key = try fromCryptography(try random.secret(FileKeyCipher.keyByteCount))
            let row = FileKeyRow(
                number: first + Int64(offset),
                name: name,
                fileClass: fileClass,
                publicKey: fileClass == .completeUnlessOpen ? try Self.publicKey(of: key) : [],
                wrapped: try wrap(fileClass.guardian, key)
            )
            try store.insert(try coded(row, session))
        }
    }

    /// Rewraps the key sets, in the transaction of a change of passcode.
    ///
    /// - Returns: The number of rows that do not open; they stay unchanged.
    func renewFileKeys(
        under successor: borrowing KeybagSuccessor,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Int {
        var unopened = 0
        for row in try store.fileKeys() {
            guard try isSound(row, session) else {
                unopened += 1
                continue
            }
            do throws(KeychainError) {
                let key = try classKey(row, session)
                let wrapped = try successor.withKey(row.fileClass.guardian) {
                    guardian throws(KeychainError) in
                    try fromCryptography(try guardian.wrap(key))
                }
                guard let wrapped else { continue }
                var renewed = row
                renewed.wrapped = wrapped
                try store.rewrap(try coded(renewed, session))
            } catch {
                guard error.status == .decode else { throw error }
                unopened += 1
            }
        }
        return unopened
    }

    private static func publicKey(
        of privateKey: borrowing Secret
    ) throws(KeychainError) -> [UInt8] {
        let pair = try fromCryptography(
            try PrivateKey(family: .x25519, externalRepresentation: privateKey)
        )
        return pair.publicKey.externalRepresentation
    }
}

// The content of a row.
extension ItemVault {
    /// Unwraps the key of a file class; for `completeUnlessOpen`, its private half.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while its class is closed; `errSecDecode` for a row
    ///   that the present class keys do not open.
    func classKey(
        _ row: FileKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Secret {
        try session.requireOpen(row.fileClass)
        do throws(KeychainError) {
            return try session.withClassKey(row.fileClass.guardian) {
                guardian throws(CryptographyError) in
                try guardian.unwrap(row.wrapped)
            }
        } catch {
            guard error.status == .decode else { throw error }
            try requireKeySet(of: session)
            throw .damagedFileKey
        }
    }

    /// Whether this keychain wrote the row; known in every lock state.
    func isSound(
        _ row: FileKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        try session.device.withLookupKey { key throws(KeychainError) in
            try FileKeyRowCode(lookupKey: key).isSound(row)
        }
    }

    /// Returns the row; throws if this keychain did not write it.
    func sound(
        _ row: FileKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> FileKeyRow {
        guard try isSound(row, session) else { throw .damagedFileKey }
        return row
    }

    private func coded(
        _ row: FileKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> FileKeyRow {
        var coded = row
        coded.code = try session.device.withLookupKey { key throws(KeychainError) in
            try FileKeyRowCode(lookupKey: key).code(of: row)
        }
        return coded
    }
}

extension DeviceSession {
    /// Throws for a file class whose key is not in memory.
    func requireOpen(_ fileClass: FileClass) throws(KeychainError) {
        switch device.unavailability(of: fileClass.guardian) {
        case nil: return
        case .locked?:
            let state =
                fileClass.guardian.availability == .afterFirstUnlock
                ? "nobody has unlocked the keychain since the device started"
                : "the keychain is locked"
            let reason = "\(state), and this file is of the class \(fileClass.name)"
            throw KeychainError(.interactionNotAllowed, reason)
        case let error?: throw KeychainError(error)
        }
    }
}

extension KeychainError {
    /// The error for a damaged key of a file class.
    static var damagedFileKey: KeychainError {
        KeychainError(
            .decode,
            "the key of this class of files is damaged, or somebody changed it;"
                + " run keychainctl check"
        )
    }
}
