internal import Cryptography
public import Foundation

extension SecureEnclave.P256.Signing {
    /// A signature on P-256: the numbers r and s of 32 bytes each.
    public struct ECDSASignature: Hashable, Sendable, ContiguousBytes {
        /// The numbers r and s one after the other, 64 bytes.
        public let rawRepresentation: Data

        /// Creates a signature from r and s, 64 bytes; only verification checks the numbers.
        ///
        /// - Throws: an error for another size.
        public init(rawRepresentation: some DataProtocol) throws {
            let bytes = [UInt8](rawRepresentation)
            guard Cryptography.ECDSASignature(rfc4754: bytes, .p256) != nil else {
                throw CryptographyError.invalidInput("a signature on P-256 has 64 bytes")
            }
            self.rawRepresentation = Data(bytes)
        }

        /// Reads `SEQUENCE { r INTEGER, s INTEGER }`; only verification checks the numbers.
        ///
        /// - Throws: an error for other bytes, or if a number has more than 32 bytes.
        public init(derRepresentation: some DataProtocol) throws {
            let numbers = try Cryptography.ECDSASignature(x962: [UInt8](derRepresentation))
            rawRepresentation = Data(try numbers.rfc4754(.p256))
        }

        /// The signature as `SEQUENCE { r INTEGER, s INTEGER }` in DER (X9.62).
        public var derRepresentation: Data {
            let numbers = Cryptography.ECDSASignature(rfc4754: [UInt8](rawRepresentation), .p256)
            return Data(numbers?.x962 ?? [])
        }

        /// Calls a closure with the raw form, which is valid during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try rawRepresentation.withUnsafeBytes(body)
        }
    }
}
