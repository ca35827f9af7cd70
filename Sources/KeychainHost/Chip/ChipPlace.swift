import Glibc
import KeychainModel
import ProgramStart

/// The address of the machine's TPM.
///
/// It names a library that libtss2 loads. So only root may choose it, as soon as a daemon or a
/// protected program depends on it.
enum ChipPlace {
    /// The kernel's resource manager of the machine's own TPM.
    static let standard = "device:/dev/tpmrm0"

    /// Returns the address to use.
    ///
    /// A process without special rights that uses no daemon, with `KEYCHAIN_SOCKET=`, may use any
    /// address, because that affects no other program.
    ///
    /// - Parameters:
    ///   - named: The address in arguments or variables; nil if there is none.
    ///   - environment: The environment of the process.
    ///   - daemon: The socket path of the daemon of all accounts.
    ///   - directory: The directory of root's settings.
    /// - Returns: A TCTI string.
    /// - Throws: `errSecNotAvailable` for an address that root did not choose, where root has to,
    ///   and for a setting that others can change.
    static func resolved(
        _ named: String?,
        _ environment: ProcessEnvironment,
        daemon: String = DaemonSocket.systemPath,
        directory: String = RootSetting.directory
    ) throws(KeychainError) -> String {
        let setting = RootSetting("tpm", in: directory)
        let chosen: String?
        do throws(RootFileProblem) { chosen = try setting.line() } catch {
            throw KeychainError(.notAvailable, error.sentence)
        }
        let roots = chosen ?? standard
        guard let named, named != roots else { return roots }
        let usesDaemon =
            !DaemonSocket.isForbidden(environment, system: daemon) && access(daemon, F_OK) == 0
        guard !environment.isProtected, !usesDaemon else {
            let source = chosen == nil ? "without \(setting.path), it is" : "\(setting.path) names"
            throw KeychainError(
                .notAvailable,
                "root chooses the TPM of this machine: \(source) \(roots), and not \(named)"
            )
        }
        return named
    }
}
