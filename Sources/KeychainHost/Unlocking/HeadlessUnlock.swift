import DataProtection
import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

/// The unlock of the keychain of a directory without a user.
///
/// - Source: Documentation/Spec/keybag.md §8; requirement OPS-03.
package struct HeadlessUnlock: Sendable {
    let home: KeychainHome
    let environment: ProcessEnvironment

    package init(home: KeychainHome, environment: ProcessEnvironment) {
        self.home = home
        self.environment = environment
    }

    /// Creates it for the directory in an environment.
    ///
    /// - Throws: The reason why there is none.
    package init(_ environment: ProcessEnvironment) throws(KeychainError) {
        self.init(home: try KeychainHome(environment), environment: environment)
    }

    /// Reads the passcode from a source.
    ///
    /// - Throws: `errSecNotAvailable` if there is none, or if others can access it.
    package func passcode(from source: UnlockSource) throws(KeychainError) -> SharedSecret {
        try source.passcode(in: home, environment)
    }

    /// The number of wrong passcodes after which the variable is ignored, so that people keep the
    /// remaining attempts.
    private static let attemptLimit = 3

    /// Unlocks a device that has not been unlocked since it started, if the environment has a
    /// source.
    ///
    /// It does not undo a lock on purpose. A wrong passcode is printed and leaves the device
    /// locked: if the call failed, the next one would count another wrong attempt.
    /// - Throws: `errSecParam` or `errSecNotAvailable` for a source that cannot be read.
    package func unlock(_ engine: Engine) throws(KeychainError) {
        guard let text = environment[UnlockSource.variable] else { return }
        guard try engine.attemptsBeforeFirstUnlock() != nil else {
            return try reportFault(of: text, engine)
        }
        // With the turn, the count contains only wrong passcodes, and none that is being tried.
        try engine.inAttemptTurn { () throws(KeychainError) in
            try unlockInTurn(engine, with: text)
        }
    }

    private func unlockInTurn(_ engine: Engine, with text: String) throws(KeychainError) {
        // Another process may have unlocked the device with the same source meanwhile.
        guard let attempts = try engine.attemptsBeforeFirstUnlock() else { return }
        guard attempts < Self.attemptLimit else {
            let reason =
                "the keychain ignores \(UnlockSource.variable): the last \(attempts) passcodes were"
                + " wrong; run keychainctl unlock-keychain with the correct one"
            return Self.print(reason, .interactionNotAllowed)
        }
        let passcode: SharedSecret
        do throws(KeychainError) {
            passcode = try self.passcode(from: UnlockSource(text))
        } catch { throw KeychainError(error.status, "\(UnlockSource.variable): \(error.reason)") }
        do throws(KeychainError) {
            try engine.unlockInTurn(passcode: passcode)
        } catch {
            let reason = "\(UnlockSource.variable) did not unlock it: \(error.reason)"
            Self.print(reason, error.status)
        }
    }

    /// Prints the fault of a source, which the next `unlock-keychain` will use after a lock.
    private func reportFault(of text: String, _ engine: Engine) throws(KeychainError) {
        guard try engine.lockState().state != .unlocked else { return }
        do throws(KeychainError) { _ = try UnlockSource(text) } catch {
            Self.print("\(UnlockSource.variable): \(error.reason)", error.status)
        }
    }

    private static func print(_ detail: String, _ status: SecurityStatus) {
        DiagnosticOutput.print(
            Finding(.refusal, verb: .copyMatching, item: "device", status: status, detail: detail)
        )
    }

    /// Seals the passcode to this machine's TPM, after it was verified.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong passcode; the errors of the TPM.
    package func seal(
        _ passcode: SharedSecret,
        place: String?,
        at endpoint: any Endpoint
    ) throws(KeychainError) {
        guard case .status(let status) = try endpoint.send(.status) else { throw .unexpectedReply }
        guard status.isPasscodeSet else {
            let reason = "the keychain has no passcode: run keychainctl passcode set"
            throw KeychainError(.param, reason)
        }
        _ = try endpoint.send(.unlock(passcode: passcode))
        let chip = try SecureElements.chip(SecureElementKind.tpm, at: place, environment)
        try SealedPasscode(in: home).write(passcode, on: chip)
    }

    /// Removes the sealed passcode, which a change of passcode made invalid.
    ///
    /// - Returns: Warnings for the user; the passcode is changed in any case.
    func forget() -> [KeychainError] {
        do throws(KeychainError) {
            guard try SealedPasscode(in: home).remove() else { return [] }
            let advice = "to allow it, run keychainctl passcode seal"
            let reason = "the TPM no longer unlocks this keychain; \(advice)"
            return [KeychainError(.notAvailable, reason)]
        } catch { return [error] }
    }
}
