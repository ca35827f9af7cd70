import Cryptography
import Secrets

/// Keys as files contain them: wrapped under another key.
enum WrappedKey {
    /// Wraps a key of 32 bytes into 40 bytes.
    static func wrap(
        _ key: borrowing Secret,
        under wrappingKey: borrowing Secret
    ) throws(DeviceError) -> [UInt8] {
        do throws(CryptographyError) {
            return try AESKeyWrap.wrap(key, under: wrappingKey)
        } catch {
            throw .cryptography(error)
        }
    }

    /// Unwraps a key from an authentic file, in which a wrong check value means damage.
    static func unwrap(
        _ wrapped: [UInt8],
        under wrappingKey: borrowing Secret,
        path: String
    ) throws(DeviceError) -> Secret {
        do throws(CryptographyError) {
            return try AESKeyWrap.unwrap(wrapped, under: wrappingKey)
        } catch .authenticationFailed {
            throw .damaged(path: path, reason: "a wrapped key does not unwrap")
        } catch {
            throw .cryptography(error)
        }
    }
}
