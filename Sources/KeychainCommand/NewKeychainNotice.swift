import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel

/// A note that appears once, when a keychain is made without secure hardware.
///
/// - Source: requirement KEY-21.
enum NewKeychainNotice {
    /// Opens a keychain, and prints a note if it is new and uses the software secure element.
    ///
    /// - Parameters:
    ///   - environment: The environment that locates the keychain.
    ///   - program: The program's name before the note.
    ///   - terminal: The terminal whose standard error gets the note.
    ///   - connect: Opens the keychain, or makes it.
    /// - Returns: The endpoint from `connect`.
    /// - Throws: The error of `connect`, of reading the status, or of writing the note.
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
