/// The longest time in seconds for which a biometric match can count without a new prompt.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// What the user must prove.
public enum LAPolicy: Int, Sendable {
    /// Biometry.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// Biometry or the passcode.
    case deviceOwnerAuthentication = 2
    /// A paired device nearby.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// Biometry or a paired device nearby.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
    /// The passcode; this device has no wrist detection.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// A paired watch nearby.
    public static let deviceOwnerAuthenticationWithWatch =
        LAPolicy.deviceOwnerAuthenticationWithCompanion
    /// Biometry or a paired watch nearby.
    public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
        LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
}

/// A device's kind of biometry.
public enum LABiometryType: Int, Sendable {
    /// No biometry.
    case none = 0
    /// Recognition of a finger.
    case touchID = 1
    /// Recognition of a face.
    case faceID = 2
    /// Recognition of an iris.
    case opticID = 4
}

/// A kind of credential that an application stores in a context.
public enum LACredentialType: Int, Sendable {
    /// A password that is part of an item's key.
    case applicationPassword = 0
    /// The PIN of a smart card.
    case smartCardPIN = -3
}

/// The intended use of an item with an access control.
public enum LAAccessControlOperation: Int, Sendable {
    /// Adding an item.
    case createItem = 0
    /// Reading or changing an item.
    case useItem = 1
    /// Creating a key.
    case createKey = 2
    /// Signing with a key.
    case useKeySign = 3
    /// Decrypting with a key.
    case useKeyDecrypt = 4
    /// Agreeing on a secret with a key.
    case useKeyKeyExchange = 5
}
