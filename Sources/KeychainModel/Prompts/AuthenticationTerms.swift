import Secrets

/// What a device recognizes a person by.
package enum BiometryKind: Int, Sendable, Hashable {
    case none = 0
    case touchID = 1
    case faceID = 2
}

/// Names what was proven for one context, or for one call without a context.
package struct SessionID: Sendable, Hashable {
    /// The first 8 of its 16 bytes, as a big-endian number.
    package let high: UInt64
    /// The last 8.
    package let low: UInt64

    /// A new name: 128 random bits.
    package init() {
        self.init(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    /// A name that was made before, here or in another process.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What a call takes from the context that it is made with.
///
/// A value behind one pointer, so that the values of queries, any of which may be a context, are no
/// larger than the others need: they are copied from target to target.
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
    /// For how long after a match nobody is asked again.
    package var reuse: Duration { fields.reuse }
    package var reason: String? { fields.reason }
    package var fallbackTitle: String? { fields.fallbackTitle }
    package var applicationPassword: SharedSecret? { fields.applicationPassword }
    /// Whether the context was invalidated before the call began; an end during the call is a
    /// message of its own.
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

/// How a call wants items handled that somebody has to open.
package struct AuthenticationTerms: Sendable, Hashable {
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
