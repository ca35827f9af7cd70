/// The longest time for which an unlock with biometry can be reused, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// What a person has to prove.
public enum LAPolicy: Int, Sendable {
    /// Biometry.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// Biometry, a watch or the passcode.
    case deviceOwnerAuthentication = 2
    /// A paired device nearby.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// Biometry or a paired device nearby.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
    /// The passcode, unless the watch stays on the wrist.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// A paired watch nearby.
    public static let deviceOwnerAuthenticationWithWatch =
        LAPolicy.deviceOwnerAuthenticationWithCompanion
    /// Biometry or a paired watch nearby.
    public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
        LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
}

/// The kind of biometry that a device has.
public enum LABiometryType: Int, Sendable {
    /// None.
    case none = 0
    /// A finger.
    case touchID = 1
    /// A face.
    case faceID = 2
    /// An iris.
    case opticID = 4
}

/// The kind of credential that an application hands to a context.
public enum LACredentialType: Int, Sendable {
    /// The password that takes part in an item's key.
    case applicationPassword = 0
    /// The PIN of a smart card.
    case smartCardPIN = -3
}

/// What is about to be done with an item that an access control guards.
public enum LAAccessControlOperation: Int, Sendable {
    /// Adding an item.
    case createItem = 0
    /// Reading or changing an item.
    case useItem = 1
    /// Making a key.
    case createKey = 2
    /// Signing with a key.
    case useKeySign = 3
    /// Decrypting with a key.
    case useKeyDecrypt = 4
    /// Agreeing on a secret with a key.
    case useKeyKeyExchange = 5
}
