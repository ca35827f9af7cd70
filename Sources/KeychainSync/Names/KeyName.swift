import Cryptography
import Secrets

/// The name of a device or of a recovery key: a digest of its two public keys; 32 bytes.
///
/// - Source: Documentation/Spec/sync.md §1.
package struct KeyName: SyncName {
    package static let byteCount = SyncDigest.byteCount

    private let digest: SyncDigest

    package var bytes: [UInt8] { digest.bytes }

    package init(unchecked bytes: [UInt8]) { digest = SyncDigest(unchecked: bytes) }

    /// Derives the name of a pair of public keys.
    package init(of keys: PeerKeys) throws(SyncError) {
        let message = Array("sync device".utf8) + keys.signing + keys.agreement
        digest = try backed { () throws(CryptographyError) in try SyncDigest(of: message) }
    }

    package static func < (first: Self, second: Self) -> Bool { first.digest < second.digest }

    /// The code that people compare before a device may join.
    package var fingerprint: SyncCode { SyncCode(digest) }
}

/// The name of a key that seals entries: the start of its digest; 16 bytes.
///
/// - Source: Documentation/Spec/sync.md §1.
package struct SealName: SyncName {
    package static let byteCount = 16

    private let bytesOfDigest: SyncDigest

    package var bytes: [UInt8] { Array(bytesOfDigest.bytes.prefix(Self.byteCount)) }

    package init(unchecked bytes: [UInt8]) {
        bytesOfDigest = SyncDigest(
            unchecked: bytes + [UInt8](repeating: 0, count: SyncDigest.byteCount - bytes.count)
        )
    }

    /// Derives the name of a key; nobody can find another key with the same name.
    package init(of key: borrowing Secret) throws(SyncError) {
        let message = Secret(concatenating: Secret(copying: "sync key".utf8), key)
        let digest = try backed { () throws(CryptographyError) in
            try message.withUnsafeBytes { bytes throws(CryptographyError) in
                try Digest.sha256(bytes)
            }
        }
        self.init(unchecked: Array(digest.prefix(Self.byteCount)))
    }

    package static func < (first: Self, second: Self) -> Bool {
        first.bytesOfDigest < second.bytesOfDigest
    }
}
