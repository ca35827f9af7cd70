import KeychainModel

/// A kind of paired device that can confirm in a person's stead.
public enum LACompanionType: Int, Sendable {
    /// A watch.
    case watch = 1
    /// A Mac.
    case mac = 2
    /// A headset.
    case vision = 4
}

/// What a device knows of its owner's face or fingers, without telling it.
public final class LADomainStateBiometry: NSObject, Sendable {
    /// What the device recognizes people by.
    public let biometryType: LABiometryType
    /// 32 bytes that change with every change of the enrolment; nil while nobody is enrolled.
    public let stateHash: Data?

    init(_ status: BiometryStatus?) {
        biometryType = LABiometryType(rawValue: status?.kind.rawValue ?? 0) ?? .none
        stateHash = status?.enrolmentState.map { Data($0) }
    }
}

/// Which paired devices can confirm, without telling more of them.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The kinds of paired devices that are there.
    public let availableCompanionTypes: Set<LACompanionType>
    /// 32 bytes that change when what the device is paired with changes; nil while there is none.
    public let stateHash: Data?

    init(_ status: BiometryStatus?) {
        stateHash = status?.companionState.map { Data($0) }
        availableCompanionTypes = stateHash == nil ? [] : [.watch]
    }

    /// The state of one kind of paired device; nil while there is none.
    public func stateHash(for companionType: LACompanionType) -> Data? {
        availableCompanionTypes.contains(companionType) ? stateHash : nil
    }
}

/// The state of everything that a policy can rest on: a snapshot, to be compared with another.
///
/// - Source: Apple's LocalAuthentication, `LADomainState` (iOS 18); Biometric authentication.
public final class LADomainState: NSObject, Sendable {
    /// Faces or fingers.
    public let biometry: LADomainStateBiometry
    /// Paired devices.
    public let companion: LADomainStateCompanion
    /// 32 bytes that change with either part; nil while neither has a state.
    public let stateHash: Data?

    init(_ status: BiometryStatus?) {
        biometry = LADomainStateBiometry(status)
        companion = LADomainStateCompanion(status)
        stateHash = status?.combinedState.map { Data($0) }
    }
}

extension LAContext {
    /// The present state of what policies can rest on; needs no evaluation before.
    public var domainState: LADomainState { LADomainState(biometry()) }
}
