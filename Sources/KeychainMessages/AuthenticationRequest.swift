import KeychainModel

/// What a context asks of the device, apart from any item.
package enum AuthenticationRequest: Sendable, Hashable {
    /// Proves a constraint and keeps the proof for the context.
    case evaluate(Constraint, ContextReference)
    /// Tells whether that could succeed now; asks nobody.
    case canEvaluate(Constraint, ContextReference)
    case biometryStatus
    /// Ends a context: what was proven for it is forgotten, and its prompts are taken away.
    case end(SessionID)
}

/// What is answered to a context.
package enum AuthenticationReply: Sendable, Hashable {
    case done
    case biometry(BiometryStatus)
}

/// What can be told about a device's biometry.
package struct BiometryStatus: Sendable, Hashable {
    package let kind: BiometryKind
    /// 32 bytes that change with every change of the enrolment; nil while nobody is enrolled.
    package let enrolmentState: [UInt8]?
    package let isLockedOut: Bool
    /// 32 bytes that stand for the paired device nearby; nil while there is none.
    package let companionState: [UInt8]?
    /// 32 bytes that change with either state; nil while there is neither.
    package let combinedState: [UInt8]?

    package init(
        kind: BiometryKind,
        enrolmentState: [UInt8]?,
        isLockedOut: Bool,
        companionState: [UInt8]? = nil,
        combinedState: [UInt8]? = nil
    ) {
        self.kind = kind
        self.enrolmentState = enrolmentState
        self.isLockedOut = isLockedOut
        self.companionState = companionState
        self.combinedState = combinedState
    }

    package var isEnrolled: Bool { enrolmentState != nil }
}
