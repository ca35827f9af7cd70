import DataProtection
import Glibc
import KeychainHost

/// Support of keychains whose secure element is a TPM 2.0.
public enum TPMSupport {
    /// How `KEYCHAIN_SECURE_ELEMENT`, the file and `keychainctl status` call it.
    static let kind = SecureElementKind.tpm

    /// Lets this program open and make keychains on a TPM.
    ///
    /// To be called once, before the program's first thread: it keeps libtss2 from logging, whose
    /// log would show what goes to the TPM. The program loads libtss2, and what the place of the
    /// TPM names, when it uses the TPM. So a program with more rights than its person must not call
    /// this: see SECURITY.md, *Secure element*.
    public static func register() {
        silence()
        SecureElements.register(kind) { place, storage in
            ChipSecureElement(chip: TPMChip(place: place), storage: storage)
        }
        SecureElements.registerChip(kind) { TPMChip(place: $0) }
    }

    /// Keeps libtss2 from logging, in this process and those that it starts.
    package static func silence() { setenv("TSS2_LOG", "all+none", 1) }
}
