import KeychainModel

/// An examination of the source of the passcode in the environment, which unlocks nothing.
///
/// - Source: requirement OPS-03.
struct SourceExamination {
    private let home: KeychainHome
    private let environment: ProcessEnvironment

    init(_ home: KeychainHome, _ environment: ProcessEnvironment) {
        self.home = home
        self.environment = environment
    }

    /// Returns the state of the source; nil if the variable is not set.
    ///
    /// It does not read a file descriptor or the TPM, because a pipe can be read only once.
    func observation() -> Observation? {
        guard let text = environment[UnlockSource.variable] else { return nil }
        do throws(KeychainError) {
            let source = try UnlockSource(text)
            switch source {
            case .file, .credential: _ = try source.passcode(in: home, environment)
            case .descriptor, .tpm: break
            }
            let fine = "\(UnlockSource.variable) names a source that can be used"
            return Observation(.fine, "unlock source", fine)
        } catch {
            return Observation(
                .problem,
                "unlock source",
                "\(UnlockSource.variable): \(error.reason)",
                advice: "correct the variable, or unset it"
            )
        }
    }
}
