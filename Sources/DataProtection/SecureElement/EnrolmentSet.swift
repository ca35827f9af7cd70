import Cryptography
import Secrets

/// The faces or fingers that a device knows, as a set with a name and a key of its own.
///
/// Every change creates a new set. Gates sealed to the previous set stay closed forever, even if
/// the change is undone (SAC-09).
/// - Source: Documentation/Spec/keybag.md §4.
package struct EnrolmentSet: Sendable {
    /// The size of a set's name in bytes.
    static let idByteCount = 16

    /// The size of a set's private key in bytes.
    static let keyByteCount = 32

    /// The size of a set's wrapped private key in bytes.
    static let wrappedKeyByteCount = keyByteCount + AESKeyWrap.checkByteCount

    /// The size of a template's digest in bytes.
    static let templateByteCount = 32

    /// The number of failures in a row that locks biometry until the passcode is entered.
    ///
    /// - Source: requirement BIO-15.
    static let failureLimit: UInt8 = 5

    /// The most templates of a set.
    static let templateLimit = 16

    /// 16 random bytes, new with every change.
    let id: [UInt8]

    /// A private key on X25519, 32 bytes, new with every change.
    let privateKey: SharedSecret

    /// Digests of the sensor's names for each face or finger, 32 bytes each, in order of enrolment.
    let templates: [[UInt8]]

    /// The number of failures in a row.
    var failures: UInt8 = 0

    /// Creates a set with a random name and key.
    init(of templates: [[UInt8]], random: any RandomSource) throws(DeviceError) {
        let made = try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            (
                try random.bytes(Self.idByteCount),
                SharedSecret(try random.secret(Self.keyByteCount))
            )
        }
        self.init(id: made.0, privateKey: made.1, templates: templates)
    }

    /// Creates a set from its parts.
    init(id: [UInt8], privateKey: SharedSecret, templates: [[UInt8]], failures: UInt8 = 0) {
        self.id = id
        self.privateKey = privateKey
        self.templates = templates
        self.failures = failures
    }

    /// Whether biometry is locked until the passcode is entered.
    var isLockedOut: Bool { failures >= Self.failureLimit }

    /// Returns the same set with another count of failures.
    func counting(failures: UInt8) -> EnrolmentSet {
        var counted = self
        counted.failures = failures
        return counted
    }

    /// Whether a template is in the set; the time taken does not reveal which one.
    func contains(_ template: [UInt8]) -> Bool {
        templates.reduce(false) { found, known in
            constantTimeEquals(known[...], template[...]) || found
        }
    }
}
