import DataProtection
import Glibc
import KeychainHost
import ProgramStart

/// Support of keychains whose secure element is a TPM 2.0.
public enum TPMSupport {
    /// How `KEYCHAIN_SECURE_ELEMENT`, the file and `keychainctl status` call it.
    static let kind = "tpm2"

    /// Lets this program open and make keychains on a TPM.
    ///
    /// To be called once, before the program's first thread: it keeps libtss2 from logging, whose
    /// log would show what goes to the TPM.
    public static func register() {
        UninheritedVariables.set("TSS2_LOG", to: "all+none")
        SecureElements.register(kind) { place, storage in
            ChipSecureElement(chip: TPMChip(place: place ?? TPMChip.defaultPlace), storage: storage)
        }
        SecureElements.registerChip(kind) { TPMChip(place: $0 ?? TPMChip.defaultPlace) }
    }
}
