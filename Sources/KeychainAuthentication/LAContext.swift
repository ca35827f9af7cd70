import Secrets
import Synchronization

/// Asks a person to prove who they are, and remembers the proof.
///
/// No prompt for biometry or a passcode exists on this system yet. Every policy is therefore
/// refused with an error that says so; nothing is ever reported as proven. A context does carry
/// credentials of the application, and the wish not to be asked, to the keychain. The asynchronous
/// functions go through those with a reply, so that a subclass overrides one of each pair.
///
/// `@unchecked Sendable`: every stored property is inside one mutex.
open class LAContext: NSObject, @unchecked Sendable {
    private let state = Mutex(State())

    /// A context without proofs or credentials.
    public override init() {
        super.init()
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

    /// How long after an unlock with biometry nobody is asked again, in seconds.
    ///
    /// The value is kept as given; in use it is limited to 0 through
    /// `LATouchIDAuthenticationMaximumAllowableReuseDuration`.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The kind of biometry of this system: none yet.
    open var biometryType: LABiometryType { .none }

    /// The state of the enrolment at the last success: nil, because there is none yet.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Whether a policy could be evaluated now: never, until prompts exist.
    ///
    /// The out-parameter receives the reason, an `LAError`.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        error?.pointee = refusal(of: policy)._nsError
        return false
    }

    /// Replies, on another thread, why the policy cannot be evaluated.
    open func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let reason = refusal(of: policy)
        DispatchQueue.global().async { reply(false, reason) }
    }

    /// Throws why the policy cannot be evaluated.
    ///
    /// - Throws: `LAError`, always, until prompts exist.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
                continuation.resume(with: Self.result(success, error))
            }
        }
    }

    /// Replies, on another thread, why the access control cannot be satisfied.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let reason = refusal(of: .deviceOwnerAuthentication)
        DispatchQueue.global().async { reply(false, reason) }
    }

    /// Throws why the access control cannot be satisfied.
    ///
    /// - Throws: `LAError`, always, until prompts exist.
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

    /// Ends the context: prompts close, credentials are wiped, later calls fail.
    open func invalidate() {
        state.withLock {
            $0.isInvalidated = true
            $0.credentials.removeAll()
        }
    }

    /// Hands the context a credential, or takes it away.
    ///
    /// The context's copy is wiped when it is replaced, taken away, or the context ends.
    /// - Returns: false if the context was invalidated.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        state.withLock {
            guard !$0.isInvalidated else { return false }
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
    /// Why a policy cannot be evaluated.
    private func refusal(of policy: LAPolicy) -> LAError {
        if isInvalidated {
            return LAError(.invalidContext, "The context was invalidated.")
        }
        if interactionNotAllowed {
            return LAError(.notInteractive, "A prompt is needed and interactionNotAllowed is set.")
        }
        return switch policy {
        case .deviceOwnerAuthenticationWithBiometrics:
            LAError(.biometryNotAvailable, "No prompt for biometry is available yet.")
        case .deviceOwnerAuthenticationWithCompanion,
            .deviceOwnerAuthenticationWithBiometricsOrCompanion:
            LAError(.companionNotAvailable, "No companion device can be asked yet.")
        case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithWristDetection:
            LAError(.notInteractive, "No prompt for biometry or a passcode is available yet.")
        }
    }

    /// A reply as a result; a refusal without a reason counts as a failed authentication.
    private static func result(_ success: Bool, _ error: (any Error)?) -> Result<Bool, any Error> {
        if success { return .success(true) }
        return .failure(error ?? LAError(.authenticationFailed))
    }

    private struct State {
        var localizedReason = ""
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var isInvalidated = false
        var credentials: [LACredentialType: SharedSecret] = [:]
    }

    /// The reuse duration within its limits, in seconds; 0 for a value that is not a number.
    package var effectiveReuseDuration: TimeInterval {
        let wanted = touchIDAuthenticationAllowableReuseDuration
        guard wanted > 0 else { return 0 }
        return min(wanted, LATouchIDAuthenticationMaximumAllowableReuseDuration)
    }
}

extension LAContext: AuthenticationContext {
    package var isInvalidated: Bool {
        state.withLock { $0.isInvalidated }
    }

    package func withApplicationPassword<Result>(
        _ body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        // The lock is not held while the caller works.
        guard let held = state.withLock({ $0.credentials[.applicationPassword] }) else {
            return try body(nil)
        }
        return try held.secret.withUnsafeBytes { try body($0) }
    }
}
