import Secrets

/// What a device recognizes a person by.
package enum BiometryKind: Int, Sendable, Hashable {
    case none = 0
    case touchID = 1
    case faceID = 2
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

/// Names what was proven for one context, or for one call without a context.
package struct SessionID: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// A new name: 128 random bits.
    package init() {
        high = .random(in: .min ... .max)
        low = .random(in: .min ... .max)
    }
}

/// What a call takes from the context that it is made with.
///
/// A class, so that the values of queries, any of which may be a context, are no larger than the
/// others need: they are copied from room to room.
package final class ContextReference: Sendable {
    package let session: SessionID
    package let forbidsInteraction: Bool
    /// For how long after a match nobody is asked again.
    package let reuse: Duration
    package let reason: String?
    package let fallbackTitle: String?
    package let applicationPassword: SharedSecret?
    /// Whether the context was invalidated, also since the call began.
    package let isInvalidated: @Sendable () -> Bool

    package init(
        session: SessionID,
        forbidsInteraction: Bool = false,
        reuse: Duration = .zero,
        reason: String? = nil,
        fallbackTitle: String? = nil,
        applicationPassword: SharedSecret? = nil,
        isInvalidated: @escaping @Sendable () -> Bool = { false }
    ) {
        self.session = session
        self.forbidsInteraction = forbidsInteraction
        self.reuse = reuse
        self.reason = reason
        self.fallbackTitle = fallbackTitle
        self.applicationPassword = applicationPassword
        self.isInvalidated = isInvalidated
    }
}

/// How a call wants items handled that somebody has to open.
package struct AuthenticationTerms: Sendable {
    package var interface: AuthenticationInterface = .allow
    /// `kSecUseOperationPrompt`.
    package var reason: String?
    package var context: ContextReference?

    package init(context: ContextReference? = nil) { self.context = context }

    /// What the prompt says: the call's words before the context's.
    package var promptReason: String? { reason ?? context?.reason }

    /// Whether a prompt may be shown at all.
    package var allowsPrompt: Bool {
        interface == .allow && context?.forbidsInteraction != true
    }
}

/// What a context asks of the device, apart from any item.
package enum AuthenticationRequest: Sendable {
    /// Proves a constraint and keeps the proof for the context.
    case evaluate(Constraint, ContextReference)
    /// Tells whether that could succeed now; asks nobody.
    case canEvaluate(Constraint, ContextReference)
    case biometryStatus
    /// Forgets what was proven for a context.
    case end(SessionID)
}
