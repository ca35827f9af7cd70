import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel

/// What is said once, when a keychain is made without secure hardware.
///
/// - Source: requirement KEY-21.
enum NewKeychainNotice {
    /// Opens the keychain of an environment; a new one on the software secure element is noted.
    ///
    /// - Parameters:
    ///   - environment: Where the keychain is.
    ///   - program: The name in front of the note.
    ///   - terminal: Where the note goes, to standard error.
    ///   - connect: Opens the keychain, or makes it.
    /// - Returns: What `connect` returned.
    /// - Throws: What `connect` throws.
    static func connect(
        _ environment: ProcessEnvironment,
        program: String,
        _ terminal: any Terminal,
        _ connect: () throws(KeychainError) -> any Endpoint
    ) throws(KeychainError) -> any Endpoint {
        let home = try? KeychainHome(environment)
        let isNew = home.map { access($0.keybag, F_OK) != 0 } ?? false
        let endpoint = try connect()
        guard isNew, let home, endpoint.endpointDescription.kind == .embedded,
            case .status(let status) = try endpoint.send(.status),
            status.deviceSecurity.level == .software
        else { return endpoint }
        let text =
            "\(program): note: the keychain in \(home.directory) is new, and anyone who copies that"
            + " directory can read it; run keychainctl passcode set, or create it on a TPM with"
            + " \(SecureElements.variable)=tpm2 (see SECURITY.md)"
        try Page(line: text).write(to: terminal, .diagnostics)
        return endpoint
    }
}
