import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServices

// The communication of a context with the device that keeps its proofs.
extension LAContext: AuthenticationContext {
    package var reference: ContextReference { reference(reason: nil) }

    private func reference(reason: String?) -> ContextReference {
        // From now on the device of this task's calls may have a proof for this context. A call
        // without a device creates none, and the proofs on an earlier device are still to be
        // forgotten.
        let endpoint = try? RequestRouter.endpoint()
        let device = endpoint is StrayEndpoint ? nil : endpoint
        let reuse = effectiveReuseDuration
        return state.withLock { state in
            state.device = device ?? state.device
            return ContextReference(
                session: session,
                forbidsInteraction: state.interactionNotAllowed,
                reuse: .seconds(reuse),
                reason: reason ?? (state.localizedReason.isEmpty ? nil : state.localizedReason),
                fallbackTitle: state.localizedFallbackTitle,
                applicationPassword: state.credentials[.applicationPassword],
                isInvalidated: isInvalidated
            )
        }
    }

    package var isInvalidated: Bool { validity.hasEnded }
}

extension LAContext {
    /// Sends a request to the device of this task's calls.
    func ask(
        reason: String? = nil,
        on device: (any Endpoint)? = nil,
        _ request: (ContextReference) -> AuthenticationRequest
    ) throws(LAError) {
        do throws(KeychainError) {
            let reference = reference(reason: reason)
            let device = if let device { device } else { try RequestRouter.endpoint() }
            _ = try device.send(request(reference))
        } catch {
            throw LAError(error)
        }
    }

    /// Evaluates a demand in a thread of its own; nil demands no proof.
    ///
    /// The prompt and the reply belong to the calling app.
    func evaluate(
        _ demand: @escaping @Sendable () throws -> Constraint?,
        _ reason: String,
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // The device is that of the caller, even if the process adopts another before the thread
        // starts.
        let device = Result<any Endpoint, any Error> { try RequestRouter.endpoint() }
        RequestRouter.async {
            do {
                guard !self.isInvalidated else { throw LAError(.invalidContext) }
                let device = try device.get()
                if let constraint = try demand() {
                    try self.ask(reason: reason, on: device) { .evaluate(constraint, $0) }
                }
                self.noteDomainState(of: device)
                reply(true, nil)
            } catch let error as KeychainError {
                reply(false, LAError(error))
            } catch {
                reply(false, error)
            }
        }
    }

    /// Returns the state of the device's biometry; nil if there is no device.
    func biometry(of device: (any Endpoint)? = nil) -> BiometryStatus? {
        let reply = try? (device ?? RequestRouter.endpoint()).send(.biometryStatus)
        guard case .biometry(let status)? = reply else { return nil }
        return status
    }

    /// Remembers the state of the enrolment for the program to compare.
    func noteDomainState(of device: (any Endpoint)? = nil) {
        let bytes = biometry(of: device)?.enrolmentState
        state.withLock { $0.domainState = bytes.map { Data($0) } }
    }
}

extension LAError {
    /// Creates the failure behind an error of the keychain.
    ///
    /// Any other error becomes a failed authentication with its own description.
    init(_ error: KeychainError) {
        let code = error.failure.flatMap { Code(rawValue: $0.rawValue) } ?? .authenticationFailed
        self.init(code, error.reason)
    }
}
