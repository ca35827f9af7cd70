import Cryptography
import DataProtection
import Secrets

/// A secure element whose UID key everybody knows, so that files of the corpus stay valid.
struct FixedElement: SecureElement {
    private static let uidKey = [UInt8](0..<32)

    var kind: String { "fixed" }

    func prepare() {}

    func tangle(
        _ input: borrowing Secret,
        salt: [UInt8],
        context: String
    ) throws(DeviceError) -> Secret {
        do throws(CryptographyError) {
            return try HKDF.deriveKey(
                from: Secret(concatenating: Secret(copying: Self.uidKey), input),
                salt: salt,
                info: [UInt8](context.utf8),
                byteCount: 32
            )
        } catch {
            throw .cryptography(error)
        }
    }

    func attempts() -> PasscodeAttempts { .none }

    func recordAttempts(_ attempts: PasscodeAttempts) {}

    func enrolments() -> EnrolmentSet? { nil }

    func record(_ enrolments: EnrolmentSet) {}

    func erase() {}
}

/// The authentication code that belongs to the end of a file.
///
/// Without it a fuzzer would never get past the check of the code.
///
/// - Parameters:
///   - bytes: The file without its code.
///   - key: Makes the key of the code.
/// - Returns: The whole file.
/// - Throws: `BrokenLaw` if there is no such code.
func authenticated(
    _ bytes: [UInt8],
    under key: () throws -> Secret
) throws(BrokenLaw) -> [UInt8] {
    do {
        return try bytes + HMACSHA256.authenticate(bytes, key: key())
    } catch {
        throw BrokenLaw(law: "an authentication code can be made")
    }
}
