import Cryptography
import KeychainModel
import Secrets

extension ProtectionClass {
    /// Whether the passcode wraps the class key, once one is set.
    var isPasscodeGuarded: Bool { availability != .always }
}

// The keys that wrap the keys of a keybag: keybag.md §3 lists them with their contexts.
extension Keybag {
    /// Derives the key that wraps keys which need no passcode.
    static func deviceKey(
        of uuid: [UInt8],
        element: any SecureElement
    ) throws(DeviceError) -> Secret {
        try element.tangle(salt: uuid, context: "keybag device key")
    }

    /// Derives the key of the authentication code at the file's end.
    static func codeKey(
        of uuid: [UInt8],
        element: any SecureElement
    ) throws(DeviceError) -> Secret {
        try element.tangle(salt: uuid, context: "keybag authentication")
    }

    /// Stretches a passcode and tangles it with the UID key; takes as long as its cost says.
    static func passcodeKey(
        of passcode: borrowing Secret,
        stretchedBy settings: KeybagRecord.Passcode,
        element: any SecureElement
    ) throws(DeviceError) -> Secret {
        let stretched = try stretch(passcode, by: settings)
        return try passcodeKey(from: stretched, stretchedBy: settings, element: element)
    }

    /// Stretches a passcode, without the UID key; takes as long as its cost says.
    static func stretch(
        _ passcode: borrowing Secret,
        by settings: KeybagRecord.Passcode
    ) throws(DeviceError) -> Secret {
        do throws(CryptographyError) {
            return try Argon2id.stretch(passcode, salt: settings.salt, cost: settings.cost)
        } catch {
            throw .cryptography(error)
        }
    }

    /// Tangles a stretched passcode with the UID key.
    static func passcodeKey(
        from stretched: borrowing Secret,
        stretchedBy settings: KeybagRecord.Passcode,
        element: any SecureElement
    ) throws(DeviceError) -> Secret {
        try element.tangle(stretched, salt: settings.salt, context: "keybag passcode key")
    }

    /// Encodes a record as a file.
    func encoded(_ record: KeybagRecord) throws(DeviceError) -> [UInt8] {
        var bytes = record.encodedFields()
        let codeKey = try Self.codeKey(of: record.uuid, element: element)
        try AuthenticatedFile.seal(&bytes, under: codeKey)
        return bytes
    }

    /// Creates 32 secret bytes.
    static func newKey(_ source: any RandomSource) throws(DeviceError) -> Secret {
        try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try source.secret(ClassKey.byteCount)
        }
    }

    /// Creates public random bytes.
    static func random(
        _ source: any RandomSource,
        byteCount: Int
    ) throws(DeviceError) -> [UInt8] {
        try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try source.bytes(byteCount)
        }
    }

    /// Wraps a key of 32 bytes into 40 bytes.
    static func wrap(
        _ key: borrowing Secret,
        under wrappingKey: borrowing Secret
    ) throws(DeviceError) -> [UInt8] {
        try WrappedKey.wrap(key, under: wrappingKey)
    }

    /// Unwraps a key from an authentic file, in which a wrong check value means damage.
    static func unwrap(
        _ wrapped: [UInt8],
        under wrappingKey: borrowing Secret,
        path: String
    ) throws(DeviceError) -> Secret {
        try WrappedKey.unwrap(wrapped, under: wrappingKey, path: path)
    }
}
