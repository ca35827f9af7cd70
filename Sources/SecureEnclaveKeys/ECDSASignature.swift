import Cryptography
public import Foundation

extension SecureEnclave.P256.Signing {
    /// A signature: two numbers of 32 bytes.
    public struct ECDSASignature: Hashable, Sendable, ContiguousBytes {
        /// Both numbers one after the other, 64 bytes.
        public let rawRepresentation: Data

        /// Takes two numbers of 32 bytes; verifying judges them.
        ///
        /// - Throws: an error for another size.
        public init(rawRepresentation: some DataProtocol) throws {
            let bytes = [UInt8](rawRepresentation)
            guard Cryptography.ECDSASignature(rfc4754: bytes, .p256) != nil else {
                throw CryptographyError.invalidInput("a signature on P-256 has 64 bytes")
            }
            self.rawRepresentation = Data(bytes)
        }

        /// Reads `SEQUENCE { r INTEGER, s INTEGER }`; verifying judges the numbers.
        ///
        /// - Throws: an error for anything else, and for larger numbers.
        public init(derRepresentation: some DataProtocol) throws {
            let numbers = try Cryptography.ECDSASignature(x962: [UInt8](derRepresentation))
            rawRepresentation = Data(try numbers.rfc4754(.p256))
        }

        /// `SEQUENCE { r INTEGER, s INTEGER }` (X9.62).
        public var derRepresentation: Data {
            let numbers = Cryptography.ECDSASignature(rfc4754: [UInt8](rawRepresentation), .p256)
            return Data(numbers?.x962 ?? [])
        }

        /// Lends the raw form for the length of one call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try rawRepresentation.withUnsafeBytes(body)
        }
    }
}
