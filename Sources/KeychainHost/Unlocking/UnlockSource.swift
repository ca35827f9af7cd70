import DataProtection
import Glibc
import KeychainModel
import Secrets

/// The source of the passcode on a machine without a user.
///
/// - Source: Documentation/Spec/keybag.md §8; requirement OPS-03.
package enum UnlockSource: Sendable, Hashable {
    /// An inherited file descriptor, read up to the first line break or its end.
    case descriptor(Int32)
    /// A file that others can neither read nor change.
    case file(String)
    /// A credential that systemd passes to a service.
    case credential(String)
    /// The passcode that `keychainctl passcode seal` sealed to this machine's TPM.
    ///
    /// The address is a TCTI string.
    case tpm(place: String?)

    /// The variable that names the source for programs.
    package static let variable = "KEYCHAIN_UNLOCK_WITH"

    /// Parses `fd:N`, `file:PATH`, `credential:NAME`, `tpm` or `tpm:TCTI`.
    ///
    /// - Throws: `errSecParam` for anything else.
    package init(_ text: String) throws(KeychainError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : nil
        switch (parts.first, rest) {
        case ("fd"?, let number?):
            guard let descriptor = Int32(number), descriptor >= 0 else { throw Self.unknown }
            self = .descriptor(descriptor)
        case ("file"?, let path?) where !path.isEmpty: self = .file(path)
        case ("credential"?, let name?) where Self.isName(name): self = .credential(name)
        case ("tpm"?, let place) where place?.isEmpty != true: self = .tpm(place: place)
        default: throw Self.unknown
        }
    }

    /// The error does not repeat the text, which may be a misplaced passcode.
    private static let unknown = KeychainError(
        .param,
        "invalid source of a passcode: give fd:NUMBER, file:PATH, credential:NAME, tpm or tpm:TCTI"
    )

    /// Whether it is the name of a file in one directory.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".." && !text.contains("/")
    }
}

extension UnlockSource {
    /// Reads the passcode; a final line break is not part of it.
    ///
    /// - Throws: `errSecNotAvailable` if there is nothing to read, or if others can access it;
    ///   `errSecDataTooLarge` for more than 4095 bytes.
    func passcode(
        in home: KeychainHome,
        _ environment: ProcessEnvironment
    ) throws(KeychainError) -> SharedSecret {
        switch self {
        case .descriptor(let descriptor):
            return try PasscodeFile.passcode(inherited: descriptor)
        case .file(let path):
            return try PasscodeFile.passcode(at: path)
        case .credential(let name):
            guard let directory = environment["CREDENTIALS_DIRECTORY"] else {
                let reason =
                    "systemd passed no credential: CREDENTIALS_DIRECTORY is not set; add"
                    + " LoadCredential or LoadCredentialEncrypted to the unit"
                throw KeychainError(.notAvailable, reason)
            }
            // A group may read it, because systemd passes credentials to a service that way.
            return try PasscodeFile.passcode(at: directory + "/" + name, forbidding: 0o027)
        case .tpm(let place):
            let chip = try SecureElements.chip(SecureElementKind.tpm, at: place, environment)
            return try SealedPasscode(in: home).open(on: chip)
        }
    }
}
