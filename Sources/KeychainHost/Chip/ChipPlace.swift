import Glibc
import KeychainModel
import ProgramStart

/// Where the machine's TPM is.
///
/// A place names a library that libtss2 loads. So it is root's choice as soon as a daemon or a
/// protected program depends on it.
enum ChipPlace {
    /// The kernel's resource manager of the machine's own TPM.
    static let standard = "device:/dev/tpmrm0"

    /// Returns the place to use.
    ///
    /// A process without rights of its own that uses no daemon, with `KEYCHAIN_SOCKET=`, may name
    /// any place: it concerns nobody else.
    ///
    /// - Parameters:
    ///   - named: What arguments or variables name; nil for nothing.
    ///   - environment: The process's.
    ///   - daemon: Where the daemon of all accounts listens, if there is one.
    ///   - directory: Where root's settings are.
    /// - Returns: A TCTI string.
    /// - Throws: `errSecNotAvailable` for another place than root's, where root's alone counts,
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
