import KeychainMessages
import KeychainModel

/// The state of the device's biometric enrolment, without the enrolled data.
public final class LADomainStateBiometry: NSObject, Sendable {
    /// The kind of biometry.
    public let biometryType: LABiometryType
    /// 32 bytes that change with every change of the enrolment; nil while nothing is enrolled.
    public let stateHash: Data?

    init(_ status: BiometryStatus?) {
        biometryType = LABiometryType(status)
        stateHash = status?.enrolmentState.map { Data($0) }
    }
}

/// The state of the paired devices that can confirm for the user.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The kinds of paired devices.
    public let availableCompanionTypes: Set<LACompanionType>
    /// 32 bytes that change when a pairing changes; nil while no device is paired.
    public let stateHash: Data?

    init(_ status: BiometryStatus?) {
        stateHash = status?.companionState.map { Data($0) }
        availableCompanionTypes = stateHash == nil ? [] : [.watch]
    }

    /// Returns the state of one kind of paired device, or nil if none is paired.
    @discardableResult
    public func stateHash(for companionType: LACompanionType) -> Data? {
        availableCompanionTypes.contains(companionType) ? stateHash : nil
    }
}

/// A snapshot of everything that a policy can depend on, to compare with another.
///
/// - Source: Apple's documentation of `LADomainState` (iOS 18).
public final class LADomainState: NSObject, Sendable {
    /// The state of faces or fingers.
    public let biometry: LADomainStateBiometry
    /// The state of paired devices.
    public let companion: LADomainStateCompanion
    /// 32 bytes that change with either part; nil while neither part has a state.
    public let stateHash: Data?

    init(_ status: BiometryStatus?) {
        biometry = LADomainStateBiometry(status)
        companion = LADomainStateCompanion(status)
        stateHash = status?.combinedState.map { Data($0) }
    }
}

extension LAContext {
    /// The current state of everything that a policy can depend on; it needs no evaluation first.
    public var domainState: LADomainState { LADomainState(biometry()) }
}
