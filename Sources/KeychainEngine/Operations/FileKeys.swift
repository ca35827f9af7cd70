import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// The keys of files: creating, unwrapping, and wrapping for another class.
//
// Source: Documentation/Spec/file-keys.md §3.
extension ItemVault {
    /// Creates the key of a new file.
    mutating func makeFileKey(
        _ fileClass: FileClass,
        _ file: FileIdentifier,
        in group: String,
        _ session: inout DeviceSession
    ) throws(KeychainError) -> FileKeyReply {
        let row = try newestFileKey(of: fileClass, &session)
        let key = try fromCryptography(try environment.random.secret(FileKeyCipher.keyByteCount))
        let wrapped = try wrap(key, of: file, in: group, under: row, session)
        return .made(wrapped, key: SharedSecret(key))
    }

    /// Unwraps the key of a file.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the class is closed; `errSecDecode` for a key
    ///   set that this keychain does not have, and for a key that does not unwrap.
    func openFileKey(
        _ key: WrappedFileKey,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Secret {
        guard key.isWellFormed, let row = try store.fileKey(key.keySet, key.fileClass) else {
            throw .foreignFile
        }
        let classKey = try classKey(try sound(row, session), session)
        let maker = try makerKey(session)
        let cipher = FileKeyCipher(fileClass: key.fileClass, file: key.file, group: key.group)
        do throws(CryptographyError) {
            guard key.fileClass == .completeUnlessOpen else {
                return try cipher.unwrap(key.wrapped, under: classKey)
            }
            return try cipher.unwrap(
                key.wrapped,
                from: key.ephemeralPublicKey,
                maker: maker,
                with: classKey
            )
        } catch .authenticationFailed {
            throw .changedFileKey
        } catch {
            throw KeychainError(error)
        }
    }

    /// Wraps the key of a file for a class, under the newest key set.
    mutating func moveFileKey(
        _ key: WrappedFileKey,
        to fileClass: FileClass,
        _ session: inout DeviceSession
    ) throws(KeychainError) -> FileKeyReply {
        let open = try openFileKey(key, session)
        let row = try newestFileKey(of: fileClass, &session)
        return .moved(try wrap(open, of: key.file, in: key.group, under: row, session))
    }

    private func makerKey(_ session: borrowing DeviceSession) throws(KeychainError) -> Secret {
        try session.device.withLookupKey { key throws(KeychainError) in
            try FileMakerKey.derive(lookupKey: key)
        }
    }

    private func wrap(
        _ key: borrowing Secret,
        of file: FileIdentifier,
        in group: String,
        under row: FileKeyRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> WrappedFileKey {
        let cipher = FileKeyCipher(fileClass: row.fileClass, file: file, group: group)
        var ephemeralPublicKey: [UInt8] = []
        let wrapped: [UInt8]
        if row.fileClass == .completeUnlessOpen {
            let ephemeral = try fromCryptography(
                try environment.random.secret(FileKeyCipher.keyByteCount)
            )
            let maker = try makerKey(session)
            (wrapped, ephemeralPublicKey) = try fromCryptography(
                try cipher.wrap(key, for: row.publicKey, maker: maker, ephemeral: ephemeral)
            )
        } else {
            let classKey = try classKey(row, session)
            wrapped = try fromCryptography(try cipher.wrap(key, under: classKey))
        }
        return WrappedFileKey(
            row.fileClass,
            file: file,
            group: group,
            keySet: row.name,
            ephemeralPublicKey: ephemeralPublicKey,
            wrapped: wrapped
        )
    }
}

extension KeychainError {
    /// The error for a key set that this keychain does not have.
    fileprivate static var foreignFile: KeychainError {
        KeychainError(
            .decode,
            "the file was protected by another keychain, or by this one before a factory reset; "
                + "it opens with a copy of that keychain's directory (KEYCHAIN_HOME)"
        )
    }

    /// The error for a wrapped key that does not belong to its file, group and class.
    fileprivate static var changedFileKey: KeychainError {
        KeychainError(.decode, "the wrapped key of the file was changed, or is another file's")
    }
}
