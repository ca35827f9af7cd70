import Cryptography
import Secrets

@testable import DataProtection

extension FuzzTarget {
    /// A keybag without the authentication code at its end, which is added here.
    ///
    /// What is read is written as it was, byte for byte; an earlier version as the present one.
    static let keybag = FuzzTarget(name: "keybag") { bytes throws(BrokenLaw) in
        _ = try? Keybag(decoding: bytes, path: "keybag", element: FixedElement())
        let uuid = [UInt8](bytes.dropFirst(uuidOffset).prefix(KeybagRecord.uuidByteCount))
        let file = try authenticated(bytes) {
            try Keybag.codeKey(of: uuid, element: FixedElement())
        }
        if let record = try? KeybagRecord(parsing: file, path: "keybag") {
            let again = try? KeybagRecord(
                parsing: record.encodedFields() + file.suffix(32),
                path: "keybag"
            )
            let isWritten = record.isEarlier ? again != nil : record.encodedFields() == bytes
            try require(isWritten, "a record is written as it was read")
        }
        let written: [UInt8]
        let isEarlier: Bool
        do throws(DeviceError) {
            let keybag = try Keybag(decoding: file, path: "keybag", element: FixedElement())
            written = try keybag.encoded()
            isEarlier = keybag.isEarlier
        } catch {
            return try refused(error)
        }
        try require(isEarlier || written == file, "a keybag is written as it was read")
        return .accepted
    }

    /// Magic, version, flags and number of classes stand before the name.
    private static let uuidOffset = 12

    /// Passes a law on and takes everything else for a refusal.
    static func refused(_ error: DeviceError) throws(BrokenLaw) -> Verdict {
        if case .cryptography(let cause) = error {
            throw BrokenLaw(law: "a damaged file is no fault of cryptography: \(cause)")
        }
        return .refused
    }
}
