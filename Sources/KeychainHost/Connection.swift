import KeychainModel

/// Where the requests of this process go.
///
/// - Source: the public contract, in README.md "Where a call goes".
package enum Connection {
    /// The simulated app that the current task stands for; nil outside of one.
    @TaskLocal package static var current: (any Endpoint)?

    /// The simulated app if there is one, else the keychain of this machine.
    ///
    /// - Throws: why the machine's keychain cannot be opened; the next call tries again.
    package static func endpoint() throws(KeychainError) -> any Endpoint {
        if let current { return current }
        return try EmbeddedKeychain.endpoint()
    }

    /// The profiles that apply here, also when the machine's keychain cannot be opened.
    package static var profiles: Profiles {
        current?.profiles ?? EmbeddedKeychain.profiles
    }

    /// Takes a finding that was made before a keychain was reached.
    package static func note(_ finding: Finding) {
        if let current { current.note(finding) } else { DiagnosticOutput.note(finding) }
    }
}
