import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// Changes a keychain's keybag into an old one, without the sum of the rows.
///
/// No process may have the directory's keychain open.
///
/// - Source: Documentation/Spec/keybag.md §2, §3.
enum AgedKeybag {
    private static let flagPlace = 10
    private static let rowSumFlag: UInt8 = 2
    private static let uuidPlaces = 12..<28

    static func age(_ directory: String) throws(KeychainError) {
        let path = directory + "/keybag"
        var bytes = try ScratchDirectory.read(path).dropLast(HMACSHA256.codeByteCount)
        bytes[flagPlace] &= ~rowSumFlag
        let code = try code(of: Array(bytes), directory)
        try ScratchDirectory.write(bytes + code, to: path)
    }

    private static func code(
        of fields: [UInt8],
        _ directory: String
    ) throws(KeychainError) -> [UInt8] {
        do {
            let element = SoftwareSecureElement(
                storage: try DirectoryStorage(path: directory),
                random: SystemRandomSource()
            )
            let salt = Array(fields[uuidPlaces])
            let key = try element.tangle(
                Secret(copying: []),
                salt: salt,
                context: "keybag authentication"
            )
            return try HMACSHA256.authenticate(fields, key: key)
        } catch { throw KeychainError(.internal, "the keybag cannot be aged: \(error)") }
    }
}
