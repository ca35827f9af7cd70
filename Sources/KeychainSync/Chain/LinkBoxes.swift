import Cryptography
import Secrets

/// The boxes of a link: the key in force after the link, sealed for each reader.
///
/// They begin with one fresh public key. A box of 48 bytes follows for each reader, in the order of
/// `CircleState.readers`. Random boxes fill the count up to a multiple of four.
///
/// - Source: Documentation/Spec/sync.md §2.2.
package enum LinkBoxes {
    static let boxByteCount = AESGCM.keyByteCount + AESGCM.tagByteCount
    /// The most bytes that the boxes of one link have: 1 MiB.
    package static let byteCountLimit = 1 << 20
    private static let countStep = 4
    /// Zeros, because each derived key seals only one box.
    private static let nonce = [UInt8](repeating: 0, count: AESGCM.nonceByteCount)

    /// Seals a key for each reader of a link that follows the link `previous`.
    ///
    /// It throws `tooLarge` above `byteCountLimit`.
    package static func seal(
        _ key: SharedSecret,
        for readers: [PeerKeys],
        _ account: AccountName,
        after previous: SyncDigest,
        _ random: some RandomSource
    ) throws(SyncError) -> [UInt8] {
        let fresh = try SoftwareSigner(
            agreement: try backed { () throws(CryptographyError) in
                // Random bytes that are no valid scalar are as rare as a lucky guess of a key.
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

    /// Opens the box at an index.
    ///
    /// - Returns: nil if the link does not name these boxes, if the box does not open, or if the
    ///   key in it does not have the expected name.
    package static func open(
        _ bytes: [UInt8],
        of link: Link,
        at place: Int,
        named name: SealName,
        _ account: AccountName,
        by reader: some PeerSigner
    ) throws(SyncError) -> SharedSecret? {
        let first = PeerKeys.publicKeyByteCount + place * boxByteCount
        // The boxes of the founding link use zeros: they are sealed before the circle has an
        // account.
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

    /// Seals an earlier key under the key in force after a link.
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

    /// Opens an earlier key of a link with the key in force after that link.
    ///
    /// - Returns: nil if it does not open, or if the key does not have the name that the link
    ///   gives.
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
