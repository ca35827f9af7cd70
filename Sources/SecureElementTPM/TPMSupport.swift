import DataProtection
import Glibc
import KeychainHost

/// Support of keychains whose secure element is a TPM 2.0.
public enum TPMSupport {
    /// The name in `KEYCHAIN_SECURE_ELEMENT`, in the file and in `keychainctl status`.
    static let kind = SecureElementKind.tpm

    /// Lets this program open and make keychains on a TPM.
    ///
    /// Call it once, before the program's first thread: it stops libtss2's log, which would show
    /// the data for the TPM. The program loads libtss2, and any library that the TPM's address
    /// names, when it uses the TPM. So a program with more rights than its user must not call this:
    /// see SECURITY.md, *Secure element*.
    public static func register() {
        silence()
        SecureElements.register(kind) { place, storage in
            ChipSecureElement(chip: TPMChip(place: place), storage: storage)
        }
        SecureElements.registerChip(kind) { TPMChip(place: $0) }
    }

    /// Stops libtss2's log, in this process and in those that it starts.
    package static func silence() { setenv("TSS2_LOG", "all+none", 1) }
}
