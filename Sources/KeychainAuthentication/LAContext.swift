import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

/// The longest time in seconds for which a biometric match can count without a new prompt.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// An object that asks the user to authenticate and remembers the proof for later calls.
///
/// The device keeps the proof and applies it only to calls with this context. The Boolean of a
/// successful evaluation opens no item by itself. The proof ends when you invalidate or release the
/// context, and when the device locks.
///
/// ```swift
/// let context = LAContext()
/// try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show the token")
/// let query: [String: Any] = [
///     kSecClass as String: kSecClassGenericPassword,
///     kSecAttrService as String: "api",
///     kSecReturnData as String: true,
///     kSecUseAuthenticationContext as String: context,
/// ]
/// ```
///
/// The asynchronous functions call the ones with a reply, so a subclass overrides only those with a
/// reply.
///
/// The class is `@unchecked Sendable` because every stored property is constant or inside one
/// mutex.
open class LAContext: NSObject, @unchecked Sendable {
    let session = SessionID()
    let validity = ContextValidity()
    let state = Mutex(State())

    /// Creates a context without proofs or credentials.
    public override init() {
        super.init()
    }

    deinit {
        validity.end()
        state.withLock { $0.device }?.forget(session)
    }

    /// The reason that a prompt of the keychain shows.
    open var localizedReason: String {
        get { state.withLock { $0.localizedReason } }
        set { state.withLock { $0.localizedReason = newValue } }
    }

    /// The title of the fallback button; empty hides the button, and nil selects the system's
    /// title.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The title of the cancel button; nil selects the system's title.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Whether prompts are forbidden; a call that needs one then fails.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// The time in seconds during which a match of a face or finger counts without a new prompt.
    ///
    /// A match in a call with this context counts, and so does one that unlocked the device. The
    /// property keeps the value that you set. The keychain uses at most
    /// `LATouchIDAuthenticationMaximumAllowableReuseDuration`, and at least 0.
    /// - Source: Apple's documentation of this property.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The device's kind of biometry, which is known even before any evaluation.
    open var biometryType: LABiometryType {
        LABiometryType(biometry())
    }

    /// The state of the enrolment at the last successful check or evaluation of a policy.
    ///
    /// It has 32 bytes, which change when the user enrolls or removes a face or finger. It is nil
    /// before the first success.
    open var evaluatedPolicyDomainState: Data? { state.withLock { $0.domainState } }

    /// Returns whether an evaluation of the policy could succeed now, without a prompt.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - error: receives the reason, an `LAError`, if the policy cannot be evaluated.
    /// - Returns: whether an evaluation could succeed.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        do throws(LAError) {
            guard !isInvalidated else { throw LAError(.invalidContext) }
            guard !interactionNotAllowed else { throw LAError(.notInteractive) }
            let constraint = try policy.demand()
            try ask { .canEvaluate(constraint, $0) }
            noteDomainState()
            return true
        } catch let refusal {
            error?.pointee = refusal._nsError
            return false
        }
    }

    /// Asks the user to satisfy a policy, and replies on another thread.
    ///
    /// - Parameters:
    ///   - policy: the policy that the user must satisfy.
    ///   - localizedReason: the reason that the prompt shows.
    ///   - reply: receives true, or false with an `LAError`.
    open func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate({ () throws(LAError) in try policy.demand() }, localizedReason, reply)
    }

    /// Asks the user to satisfy a policy.
    ///
    /// - Returns: true.
    /// - Throws: `LAError` if the user does not satisfy the policy.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
                continuation.resume(with: Self.result(success, error))
            }
        }
    }

    /// Evaluates an access control, asks the user for the required proof, and replies on another
    /// thread.
    ///
    /// A later keychain call with this context then needs no prompt for the same requirement.
    ///
    /// - Parameters:
    ///   - accessControl: the access control.
    ///   - operation: the intended use. The evaluation is the same for every value.
    ///   - localizedReason: the reason that the prompt shows.
    ///   - reply: receives true, or false with an `LAError`.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate({ accessControl.value.constraint }, localizedReason, reply)
    }

    /// Evaluates an access control and asks the user for the required proof.
    ///
    /// - Returns: true.
    /// - Throws: `LAError` if the user does not meet the requirement.
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

    /// Ends the context and wipes its proofs and credentials.
    ///
    /// An open prompt has no effect from then on. Later calls with the context fail.
    open func invalidate() {
        let device = state.withLock { state in
            validity.end()
            state.credentials.removeAll()
            return state.device
        }
        device?.forget(session)
    }

    /// Stores a credential in the context, or removes it if the argument is nil.
    ///
    /// The context wipes its copy when you replace or remove it, and when the context ends.
    /// - Returns: false if the context is invalid.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        state.withLock {
            guard !validity.hasEnded else { return false }
            $0.credentials[type] = credential.map { SharedSecret(Secret(copying: $0)) }
            return true
        }
    }

    /// Returns whether the context has a credential of this kind.
    @discardableResult
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
        /// The device that keeps the proofs of this context.
        var device: (any Endpoint)?
    }

    /// The reuse duration within its limits, in seconds; 0 for a value that is not a number.
    package var effectiveReuseDuration: TimeInterval {
        let wanted = touchIDAuthenticationAllowableReuseDuration
        guard wanted > 0 else { return 0 }
        return min(wanted, LATouchIDAuthenticationMaximumAllowableReuseDuration)
    }

    /// Returns a reply as a result; a refusal without a reason counts as a failed authentication.
    private static func result(_ success: Bool, _ error: (any Error)?) -> Result<Bool, any Error> {
        if success { return .success(true) }
        return .failure(error ?? LAError(.authenticationFailed))
    }
}

extension LAPolicy {
    /// Returns the constraint of the policy.
    ///
    /// - Throws: `LAError` with Apple's number for a wrong parameter, which has no name, if the
    ///   number is not a policy.
    fileprivate func demand() throws(LAError) -> Constraint {
        let biometry = Constraint.factor(.biometry)
        let companion = Constraint.factor(.companion)
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: return biometry
        case .deviceOwnerAuthentication: return .any([biometry, .factor(.passcode)])
        case .deviceOwnerAuthenticationWithCompanion: return companion
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion:
            return .any([biometry, companion])
        case .deviceOwnerAuthenticationWithWristDetection: return .factor(.passcode)
        default:
            throw LAError(.parameter, "there is no policy with the number \(rawValue)")
        }
    }
}

extension LABiometryType {
    /// Returns the kind of the device's sensor; `none` if there is no device or sensor.
    init(_ status: BiometryStatus?) {
        self = LABiometryType(rawValue: status?.kind.rawValue ?? 0) ?? .none
    }
}

extension Endpoint {
    /// Makes the device forget the proofs of a context; a device that ended has none.
    fileprivate func forget(_ session: SessionID) {
        _ = try? send(.end(session))
    }
}
