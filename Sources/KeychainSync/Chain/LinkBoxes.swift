import Cryptography
import Secrets

/// The boxes of a link: the key that is in force after it, for each of its readers.
///
/// One fresh pair for the link, then 48 bytes for each reader in the order of
/// `CircleState.readers`, filled up to a multiple of four.
///
/// - Source: Documentation/Spec/sync.md §2.2.
package enum LinkBoxes {
    static let boxByteCount = AESGCM.keyByteCount + AESGCM.tagByteCount
    /// The most that the boxes of one link have.
    package static let byteCountLimit = 1 << 20
    private static let countStep = 4
    /// A key seals one box.
    private static let nonce = [UInt8](repeating: 0, count: AESGCM.nonceByteCount)

    /// Seals a key for each reader of the boxes of a link, which follows the one named here.
    package static func seal(
        _ key: SharedSecret,
        for readers: [PeerKeys],
        _ account: AccountName,
        after previous: SyncDigest,
        _ random: some RandomSource
    ) throws(SyncError) -> [UInt8] {
        let fresh = try SoftwareSigner(
            agreement: try backed { () throws(CryptographyError) in
                // A number that is no scalar is as rare as a guessed key.
                try PrivateKey(scalar: try random.secret(AESGCM.keyByteCount), on: .p256)
            }
        )
        let point = fresh.keys.agreement
        var bytes = point
        for reader in readers {
            let shared = try fresh.agree(with: reader.agreement)
            let boxKey = try Self.key(shared, account, previous, point, reader.agreement)
            bytes += try backed { () throws(CryptographyError) in
                try AESGCM.seal(key.secret, key: boxKey, nonce: nonce, authenticating: point)
            }
        }
        let missing = (countStep - readers.count % countStep) % countStep
        bytes += try backed { () throws(CryptographyError) in
            try random.bytes(missing * boxByteCount)
        }
        guard bytes.count <= byteCountLimit else { throw .tooLarge }
        return bytes
    }

    /// Opens the box at a place.
    ///
    /// - Returns: nil if the boxes are not those that the link names, or the box does not open, or
    ///   has another key than the link says.
    package static func open(
        _ bytes: [UInt8],
        of link: Link,
        at place: Int,
        named name: SealName,
        _ account: AccountName,
        by reader: some PeerSigner
    ) throws(SyncError) -> SharedSecret? {
        let first = PeerKeys.publicKeyByteCount + place * boxByteCount
        // A circle that is being founded has no account yet.
        let account = link.isFounding ? .zeros : account
        guard bytes.count <= byteCountLimit, bytes.count >= first + boxByteCount,
            try digest(of: bytes) == link.boxesDigest
        else { return nil }
        let point = Array(bytes.prefix(PeerKeys.publicKeyByteCount))
        let boxKey: Secret
        do throws(SyncError) {
            let shared = try reader.agree(with: point)
            boxKey = try Self.key(shared, account, link.previous, point, reader.keys.agreement)
        } catch {
            guard case .damaged = error else { throw error }
            return nil
        }
        return try opened(
            bytes[first..<first + boxByteCount],
            boxKey,
            nonce: nonce,
            authenticating: point,
            named: name
        )
    }

    package static func digest(of bytes: [UInt8]) throws(SyncError) -> SyncDigest {
        try backed { () throws(CryptographyError) in try SyncDigest(of: bytes) }
    }

    private static func key(
        _ shared: borrowing Secret,
        _ account: AccountName,
        _ previous: SyncDigest,
        _ fresh: [UInt8],
        _ reader: [UInt8]
    ) throws(SyncError) -> Secret {
        do throws(CryptographyError) {
            return try HKDF.deriveKey(
                from: shared,
                salt: [],
                info: Array("sync box".utf8) + account.bytes + previous.bytes + fresh + reader,
                byteCount: AESGCM.keyByteCount
            )
        } catch { throw .backend("\(error)") }
    }

    // MARK: Earlier keys

    /// Seals a key that was in force before under the one in force after a link.
    static func seal(
        earlier: SharedSecret,
        _ name: SealName,
        under key: SharedSecret,
        after previous: SyncDigest
    ) throws(SyncError) -> Link.EarlierKey {
        let sealed = try backed { () throws(CryptographyError) in
            try AESGCM.seal(
                earlier.secret,
                key: try Self.earlierKey(name, under: key, after: previous),
                nonce: nonce,
                authenticating: []
            )
        }
        return Link.EarlierKey(name, sealed: sealed)
    }

    /// An earlier key that a link gives to who has the one in force after it; nil if it is another.
    package static func open(
        _ earlier: Link.EarlierKey,
        of link: Link,
        under key: SharedSecret
    ) throws(SyncError) -> SharedSecret? {
        let earlierKey = try backed { () throws(CryptographyError) in
            try Self.earlierKey(earlier.name, under: key, after: link.previous)
        }
        return try opened(
            earlier.sealed[...],
            earlierKey,
            nonce: nonce,
            authenticating: [],
            named: earlier.name
        )
    }

    private static func earlierKey(
        _ name: SealName,
        under key: SharedSecret,
        after previous: SyncDigest
    ) throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(
            from: key.secret,
            salt: [],
            info: Array("sync earlier key".utf8) + previous.bytes + name.bytes,
            byteCount: AESGCM.keyByteCount
        )
    }

    private static func opened(
        _ sealed: ArraySlice<UInt8>,
        _ key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticated: [UInt8],
        named name: SealName
    ) throws(SyncError) -> SharedSecret? {
        let opened: SharedSecret
        do throws(CryptographyError) {
            opened = SharedSecret(
                try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: authenticated)
            )
        } catch {
            guard case .backend(let reason) = error else { return nil }
            throw .backend(reason)
        }
        return try SealName(of: opened.secret) == name ? opened : nil
    }
}
