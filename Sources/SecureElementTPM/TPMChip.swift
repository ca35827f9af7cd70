import DataProtection
import Secrets

/// A TPM 2.0 as the chip of a secure element.
///
/// Each call connects, loads its objects, and leaves nothing behind in the TPM.
/// - Source: Documentation/Spec/keybag.md §4.2.
package struct TPMChip: SecureChip {
    /// A TCTI string, such as `device:/dev/tpmrm0` or `swtpm:path=/run/tpm.sock`.
    private let place: String

    package init(place: String) { self.place = place }

    /// The kind, `tpm2`.
    package var kind: String { TPMSupport.kind }

    /// Makes a key in the TPM; returns its name and areas, about 250 bytes.
    package func makeKey() throws(DeviceError) -> [UInt8] {
        let library = try TPMLibrary()
        var connection = TPMConnection(to: place, library: library)
        try connection.open()
        return try connection.makeKey().encoded(by: library)
    }

    /// Loads the key, and computes the code in the TPM.
    package func authenticate(
        _ message: borrowing Secret,
        under key: [UInt8]
    ) throws(DeviceError) -> Secret {
        let library = try TPMLibrary()
        let blob = try TPMKeyBlob(decoding: key, by: library)
        var connection = TPMConnection(to: place, library: library)
        try connection.open()
        try connection.load(blob)
        return try connection.authenticate(message)
    }
}
