import Cryptography
import Secrets

/// The faces or fingers that a device knows, as a set with a name and a key of its own.
///
/// Every change makes another set: whatever was sealed to the one before stays shut for good, also
/// when the change is taken back (SAC-09).
/// - Source: Documentation/Spec/keybag.md §4.
package struct EnrolmentSet: Sendable {
    /// The size of a set's name in bytes.
    static let idByteCount = 16

    /// The size of a set's private key in bytes.
    static let keyByteCount = 32

    /// The size of a set's private key where it is wrapped, in bytes.
    static let wrappedKeyByteCount = keyByteCount + AESKeyWrap.checkByteCount

    /// The size of a template's digest in bytes.
    static let templateByteCount = 32

    /// How many failures in a row lock biometry out until the passcode is entered.
    ///
    /// - Source: requirement BIO-15.
    static let failureLimit: UInt8 = 5

    /// How many templates a set has at most.
    static let templateLimit = 16

    /// 16 random bytes, new with every change.
    let id: [UInt8]

    /// A private key on X25519, 32 bytes, new with every change.
    let privateKey: SharedSecret

    /// Digests of what the sensor calls each face or finger, 32 bytes each, in order of enrolment.
    let templates: [[UInt8]]

    /// Failures in a row.
    var failures: UInt8 = 0

    /// Makes a set of its own name and key.
    init(of templates: [[UInt8]], random: any RandomSource) throws(DeviceError) {
        let made = try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            (
                try random.bytes(Self.idByteCount),
                SharedSecret(try random.secret(Self.keyByteCount))
            )
        }
        self.init(id: made.0, privateKey: made.1, templates: templates)
    }

    /// Puts a set together.
    init(id: [UInt8], privateKey: SharedSecret, templates: [[UInt8]], failures: UInt8 = 0) {
        self.id = id
        self.privateKey = privateKey
        self.templates = templates
        self.failures = failures
    }

    /// Whether biometry waits for the passcode.
    var isLockedOut: Bool { failures >= Self.failureLimit }

    /// The same set with another count of failures.
    func counting(failures: UInt8) -> EnrolmentSet {
        var counted = self
        counted.failures = failures
        return counted
    }

    /// Whether a template is in the set, in time that tells nothing about which.
    func contains(_ template: [UInt8]) -> Bool {
        templates.reduce(false) { found, known in
            constantTimeEquals(known[...], template[...]) || found
        }
    }
}
