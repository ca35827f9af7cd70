import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// The open metadata keys: one per protection class, unwrapped once, kept until evicted.
///
/// - Source: Documentation/Spec/item.md §4; requirements STO-03, ACC-28.
struct MetadataKeyring: Sendable {
    private var open: [ProtectionClass: MetadataKey] = [:]

    /// Whether the attributes of the class can be read without its class key.
    func holds(_ protection: ProtectionClass) -> Bool { open[protection] != nil }

    /// Returns the key of a class if it is open.
    func known(_ protection: ProtectionClass) -> MetadataKey? { open[protection] }

    /// Drops the keys of every class for which `isKept` returns false.
    mutating func keep(where isKept: (ProtectionClass) -> Bool) {
        open = open.filter { isKept($0.key) }
    }

    /// Drops the keys of the classes that are closed; with `keepsLocked`, those that are only
    /// locked may stay.
    mutating func keep(openIn device: borrowing Device, orLocked keepsLocked: Bool) {
        let closed = open.keys.filter { protection in
            switch device.unavailability(of: protection) {
            case nil: false
            case .locked?: !keepsLocked
            case _?: true
            }
        }
        for protection in closed { open[protection] = nil }
    }

    /// Returns the metadata key of a class, and unwraps it if necessary.
    ///
    /// - Returns: nil if the class has no metadata key yet.
    mutating func existingKey(
        of protection: ProtectionClass,
        device: borrowing Device,
        store: borrowing ItemStore
    ) throws(KeychainError) -> MetadataKey? {
        if let known = open[protection] { return known }
        let wrapped = try store.metadataKey(of: protection)
        guard let wrapped else { return nil }
        let key = try fromDevice(
            try device.withClassKey(protection) { classKey throws(CryptographyError) in
                MetadataKey(secret: SharedSecret(try classKey.unwrap(wrapped)))
            }
        )
        open[protection] = key
        return key
    }

    /// Returns the key of a class, and creates it if there is none; needs a write transaction.
    mutating func key(
        of protection: ProtectionClass,
        device: borrowing Device,
        store: borrowing ItemStore,
        random: any RandomSource
    ) throws(KeychainError) -> MetadataKey {
        if let known = try existingKey(of: protection, device: device, store: store) {
            return known
        }
        let key = try MetadataKey(random: random)
        let wrapped = try fromDevice(
            try device.withClassKey(protection) { classKey throws(CryptographyError) in
                try classKey.wrap(key.secret.secret)
            }
        )
        try store.insertMetadataKey(wrapped, of: protection)
        open[protection] = key
        return key
    }
}

extension MetadataKey {
    /// Creates a random key, without storing it.
    init(random: any RandomSource) throws(KeychainError) {
        secret = SharedSecret(try fromCryptography(try random.secret(AESKeyWrap.keyByteCount)))
    }
}
