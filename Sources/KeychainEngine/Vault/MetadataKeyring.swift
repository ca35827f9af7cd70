import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// The metadata keys that are open: one per protection class, unwrapped once, kept until evicted.
///
/// - Source: Documentation/Spec/item.md §4; requirements STO-03, ACC-28.
struct MetadataKeyring: Sendable {
    private var open: [ProtectionClass: MetadataKey] = [:]

    /// Whether the class's attributes can be read without its class key.
    func holds(_ protection: ProtectionClass) -> Bool { open[protection] != nil }

    /// The key of a class that is open.
    func known(_ protection: ProtectionClass) -> MetadataKey? { open[protection] }

    /// Forgets the keys of every class for which the test is false.
    mutating func keep(where isKept: (ProtectionClass) -> Bool) {
        open = open.filter { isKept($0.key) }
    }

    /// Forgets the keys of the classes that the device has closed; those that are merely locked
    /// may stay.
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

    /// The key of a class that is open or whose class key is.
    ///
    /// - Returns: nil when the class has no metadata key yet.
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

    /// The key of a class, made and stored if there is none; inside a write transaction.
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
    /// A new key, which is in no table yet.
    init(random: any RandomSource) throws(KeychainError) {
        secret = SharedSecret(try fromCryptography(try random.secret(AESKeyWrap.keyByteCount)))
    }
}
