import KeychainModel

/// A context's request to the device, independent of any item.
package enum AuthenticationRequest: Sendable, Hashable {
    /// Proves a constraint, and keeps the proof for the context.
    case evaluate(Constraint, ContextReference)
    /// Checks whether an evaluation could succeed now, without a prompt.
    case canEvaluate(Constraint, ContextReference)
    case biometryStatus
    /// Ends a context: its proofs are forgotten, and its prompts are closed.
    case end(SessionID)
}

/// The reply to a context's request.
package enum AuthenticationReply: Sendable, Hashable {
    case done
    case biometry(BiometryStatus)
}

/// The facts about a device's biometry that programs may know.
package struct BiometryStatus: Sendable, Hashable {
    package let kind: BiometryKind
    /// 32 bytes that change with every change of the enrolment; nil without an enrolment.
    package let enrolmentState: [UInt8]?
    package let isLockedOut: Bool
    /// 32 bytes that identify the paired device nearby; nil if there is none.
    package let companionState: [UInt8]?
    /// 32 bytes that change with either state; nil if there is neither.
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
