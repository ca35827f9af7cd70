import Secrets

/// The biometry of a device.
package enum BiometryKind: Int, Sendable, Hashable {
    case none = 0
    case touchID = 1
    case faceID = 2
}

/// The identity of a context, or of one call without a context.
package struct SessionID: Sendable, Hashable {
    /// The first 8 of its 16 bytes, as a big-endian number.
    package let high: UInt64
    /// The last 8 bytes.
    package let low: UInt64

    /// Creates a new identity: 128 random bits.
    package init() {
        self.init(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    /// Creates an existing identity, from here or from another process.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The values that a call takes from its context.
///
/// They are behind one pointer. Any query value may be a context, and query values are copied
/// often, so they must stay small.
package struct ContextReference: Sendable {
    private struct Fields: Sendable {
        let session: SessionID
        let forbidsInteraction: Bool
        let reuse: Duration
        let reason: String?
        let fallbackTitle: String?
        let applicationPassword: SharedSecret?
        let isInvalidated: Bool
    }

    private indirect enum Storage: Sendable {
        case fields(Fields)
    }

    private let storage: Storage

    package init(
        session: SessionID,
        forbidsInteraction: Bool = false,
        reuse: Duration = .zero,
        reason: String? = nil,
        fallbackTitle: String? = nil,
        applicationPassword: SharedSecret? = nil,
        isInvalidated: Bool = false
    ) {
        storage = .fields(
            Fields(
                session: session,
                forbidsInteraction: forbidsInteraction,
                reuse: reuse,
                reason: reason,
                fallbackTitle: fallbackTitle,
                applicationPassword: applicationPassword,
                isInvalidated: isInvalidated
            )
        )
    }

    private var fields: Fields {
        switch storage {
        case .fields(let fields): fields
        }
    }

    package var session: SessionID { fields.session }
    package var forbidsInteraction: Bool { fields.forbidsInteraction }
    /// The time after a match for which no further prompt is needed.
    package var reuse: Duration { fields.reuse }
    package var reason: String? { fields.reason }
    package var fallbackTitle: String? { fields.fallbackTitle }
    package var applicationPassword: SharedSecret? { fields.applicationPassword }
    /// Whether the context was invalidated before the call began.
    ///
    /// An end during the call is a message of its own.
    package var isInvalidated: Bool { fields.isInvalidated }
}

extension ContextReference: Hashable {
    /// Compares by content, except a password, which is equal only to itself.
    package static func == (left: ContextReference, right: ContextReference) -> Bool {
        left.session == right.session && left.forbidsInteraction == right.forbidsInteraction
            && left.reuse == right.reuse && left.reason == right.reason
            && left.fallbackTitle == right.fallbackTitle
            && left.applicationPassword === right.applicationPassword
            && left.isInvalidated == right.isInvalidated
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(session) }
}

/// A call's terms for items that need an authentication.
package struct AuthenticationTerms: Sendable, Hashable {
    package var interface: AuthenticationInterface = .allow
    /// `kSecUseOperationPrompt`.
    package var reason: String?
    package var context: ContextReference?

    package init(context: ContextReference? = nil) { self.context = context }

    /// The text of the prompt; the call's takes precedence over the context's.
    package var promptReason: String? { reason ?? context?.reason }

    /// Whether a prompt is allowed.
    package var allowsPrompt: Bool {
        interface == .allow && context?.forbidsInteraction != true
    }
}
