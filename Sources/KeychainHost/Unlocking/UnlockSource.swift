import DataProtection
import Glibc
import KeychainModel
import Secrets

/// Where a machine without people has the passcode from.
///
/// - Source: Documentation/Spec/keybag.md §8; requirement OPS-03.
package enum UnlockSource: Sendable, Hashable {
    /// All of an open file descriptor.
    case descriptor(Int32)
    /// All of a file that others can neither read nor change.
    case file(String)
    /// A credential that systemd hands to a service.
    case credential(String)
    /// The passcode that `keychainctl passcode seal` left for this machine's TPM; the place is a
    /// TCTI string.
    case tpm(place: String?)

    /// The variable that names the source for programs.
    package static let variable = "KEYCHAIN_UNLOCK_WITH"

    /// Reads `fd:N`, `file:PATH`, `credential:NAME`, `tpm` or `tpm:TCTI`.
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

    /// The text may hold a misplaced passcode, so it is not repeated.
    private static let unknown = KeychainError(
        .param,
        "invalid source of a passcode: give fd:NUMBER, file:PATH, credential:NAME, tpm or tpm:TCTI"
    )

    /// Whether it names a file of one directory.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".." && !text.contains("/")
    }
}

extension UnlockSource {
    /// Reads the passcode; a final line break is not part of it.
    ///
    /// - Throws: `errSecNotAvailable` where there is nothing to read, or others can reach it;
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
            // A group may read it: systemd hands credentials to a service that way.
            return try PasscodeFile.passcode(at: directory + "/" + name, forbidding: 0o027)
        case .tpm(let place):
            let chip = try SecureElements.chip(SecureElementKind.tpm, at: place, environment)
            return try SealedPasscode(in: home).open(on: chip)
        }
    }
}
