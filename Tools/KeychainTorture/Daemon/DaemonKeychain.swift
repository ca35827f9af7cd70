import KeychainAudit
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel

/// The keychain of a daemon that has stopped.
struct DaemonKeychain {
    private let directory: String

    init(_ directory: String) { self.directory = directory }

    /// Checks the keychain and its log; nil if both are sound.
    func complaint() -> String? {
        do throws(KeychainError) {
            let engine = try EmbeddedKeychain.engine(
                KeychainHome(directory: directory),
                .current,
                EmbeddedKeychain.EngineTerms(
                    sessions: .nowhere,
                    surroundings: { Surroundings(.absent) },
                    note: { _ in }
                )
            )
            defer { engine.end() }
            if try engine.lockState().state != .unlocked {
                try engine.unlock(passcode: PromptWork.passcode)
            }
            var faults: [CheckFault] = []
            _ = try engine.check(naming: { faults.append($0) })
            if !faults.isEmpty { return "a check finds \(faults)" }
            let log = try AuditLog(
                directory: directory + "/log",
                key: try engine.derivedKey("log")
            )
            defer { log.close() }
            let verdict = try log.verify()
            return verdict.faults.isEmpty ? nil : "the log has \(verdict.faults)"
        } catch { return "it cannot be checked: \(error)" }
    }
}
