import KeychainHost
import KeychainModel
import Secrets
import Synchronization

/// Asks a person to prove who they are, and remembers the proof.
///
/// The proof itself stays with the device, as keys that only this context's calls are given; a
/// Boolean of success opens nothing. It lasts until the context is invalidated or goes, or
/// the device is locked. The asynchronous functions go through those with a reply, so that a
/// subclass overrides one of each pair.
///
/// `@unchecked Sendable`: every stored property is inside one mutex, or constant.
open class LAContext: NSObject, @unchecked Sendable {
    let session = SessionID()
    let validity = ContextValidity()
    let state = Mutex(State())

    /// A context without proofs or credentials.
    public override init() {
        super.init()
    }

    deinit {
        validity.end()
        state.withLock { $0.device }?.forget(session)
    }

    /// The reason shown in a prompt of the keychain.
    open var localizedReason: String {
        get { state.withLock { $0.localizedReason } }
        set { state.withLock { $0.localizedReason = newValue } }
    }

    /// The title of the fallback button; empty hides it, nil is the system's title.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The title of the cancel button; nil is the system's title.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Whether a prompt must not be shown; whatever needs one then fails.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// How long after a match of a face or finger nobody is asked again, in seconds.
    ///
    /// Both a match in a call with this context and one that unlocked the device count. The value
    /// is kept as given; in use it is limited to 0 through
    /// `LATouchIDAuthenticationMaximumAllowableReuseDuration`.
    /// - Source: Keychain overview.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The kind of biometry of the device; known also before a policy was evaluated or could be.
    open var biometryType: LABiometryType {
        LABiometryType(rawValue: biometry()?.kind.rawValue ?? 0) ?? .none
    }

    /// The state of the enrolment at the last policy that succeeded, or could: 32 bytes that
    /// change whenever a face or finger is enrolled or removed; nil before.
    open var evaluatedPolicyDomainState: Data? { state.withLock { $0.domainState } }

    /// Tells whether a policy could be evaluated now; asks nobody.
    ///
    /// The out-parameter receives the reason why not, an `LAError`.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        do throws(LAError) {
            guard !isInvalidated else { throw LAError(.invalidContext) }
            guard !interactionNotAllowed else { throw LAError(.notInteractive) }
            try ask { .canEvaluate(policy.constraint, $0) }
            noteDomainState()
            return true
        } catch let refusal {
            error?.pointee = refusal._nsError
            return false
        }
    }

    /// Has the person prove who they are, and replies on another thread.
    ///
    /// - Parameters:
    ///   - policy: What has to be proven.
    ///   - localizedReason: Shown in the prompt.
    ///   - reply: Receives success, or an `LAError`.
    open func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate(policy.constraint, localizedReason, reply)
    }

    /// Has the person prove who they are.
    ///
    /// - Throws: `LAError`.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
                continuation.resume(with: Self.result(success, error))
            }
        }
    }

    /// Has proven what an access control demands, ahead of the operation, and replies on another
    /// thread.
    ///
    /// - Parameters:
    ///   - accessControl: The demands.
    ///   - operation: What the proof is for.
    ///   - localizedReason: Shown in the prompt.
    ///   - reply: Receives success, or an `LAError`.
    /// - Source: Biometric authentication.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate(accessControl.value.constraint, localizedReason, reply)
    }

    /// Has proven what an access control demands, ahead of the operation.
    ///
    /// - Throws: `LAError`.
    @discardableResult
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluateAccessControl(
                accessControl,
                operation: operation,
                localizedReason: localizedReason
            ) { success, error in
                continuation.resume(with: Self.result(success, error))
            }
        }
    }

    /// Ends the context: proofs and credentials are wiped, a prompt under way proves nothing, later
    /// calls fail.
    open func invalidate() {
        let device = state.withLock { state in
            validity.end()
            state.credentials.removeAll()
            return state.device
        }
        device?.forget(session)
    }

    /// Hands the context a credential, or takes it away.
    ///
    /// The context's copy is wiped when it is replaced, taken away, or the context ends.
    /// - Returns: false if the context was invalidated.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        state.withLock {
            guard !validity.hasEnded else { return false }
            $0.credentials[type] = credential.map { SharedSecret(Secret(copying: $0)) }
            return true
        }
    }

    /// Whether the context holds a credential of this kind.
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        state.withLock { $0.credentials[type] != nil }
    }
}

extension LAContext {
    struct State {
        var localizedReason = ""
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var credentials: [LACredentialType: SharedSecret] = [:]
        var domainState: Data?
        /// Where proofs of this context are kept.
        var device: (any Endpoint)?
    }

    /// The reuse duration within its limits, in seconds; 0 for a value that is not a number.
    package var effectiveReuseDuration: TimeInterval {
        let wanted = touchIDAuthenticationAllowableReuseDuration
        guard wanted > 0 else { return 0 }
        return min(wanted, LATouchIDAuthenticationMaximumAllowableReuseDuration)
    }

    /// A reply as a result; a refusal without a reason counts as a failed authentication.
    private static func result(_ success: Bool, _ error: (any Error)?) -> Result<Bool, any Error> {
        if success { return .success(true) }
        return .failure(error ?? LAError(.authenticationFailed))
    }
}

extension LAPolicy {
    /// What the policy demands.
    fileprivate var constraint: Constraint {
        let biometry = Constraint.factor(.biometry)
        let companion = Constraint.factor(.companion)
        return switch self {
        case .deviceOwnerAuthenticationWithBiometrics: biometry
        case .deviceOwnerAuthentication: .any([biometry, .factor(.passcode)])
        case .deviceOwnerAuthenticationWithCompanion: companion
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: .any([biometry, companion])
        case .deviceOwnerAuthenticationWithWristDetection: .factor(.passcode)
        }
    }
}

extension Endpoint {
    /// Forgets what was proven for a context; a device that is gone has forgotten it.
    fileprivate func forget(_ session: SessionID) {
        _ = try? send(.authenticate(.end(session)))
    }
}
