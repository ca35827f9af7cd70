import KeychainModel
import Secrets

/// Where the requests of this process go.
///
/// - Source: the public contract, in README.md "Where a call goes".
package enum Connection {
    /// The simulated app that the current task stands for; nil outside of one.
    @TaskLocal package static var current: (any Endpoint)?

    private static let processWide = BriefLock<(any Endpoint)?>(nil)

    /// Sends every request of this process that no task-local endpoint claims to one place.
    package static func setProcessWide(_ endpoint: (any Endpoint)?) {
        processWide.withLock { $0 = endpoint }
    }

    private static var simulated: (any Endpoint)? { current ?? processWide.withLock { $0 } }

    /// The simulated app if there is one, else the keychain of this machine.
    ///
    /// - Throws: why the machine's keychain cannot be opened; the next call tries again.
    package static func endpoint() throws(KeychainError) -> any Endpoint {
        if let simulated { return simulated }
        return try EmbeddedKeychain.endpoint()
    }

    /// The profiles that apply here, also when the machine's keychain cannot be opened.
    package static var profiles: Profiles {
        simulated?.profiles ?? EmbeddedKeychain.profiles
    }

    /// Takes a finding that was made before a keychain was reached.
    package static func note(_ finding: Finding) {
        if let simulated { simulated.note(finding) } else { DiagnosticOutput.note(finding) }
    }
}
