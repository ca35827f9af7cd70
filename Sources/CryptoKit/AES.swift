import Cryptography
public import Foundation
import Secrets

/// The cipher of FIPS 197.
public enum AES {
    /// AES in Galois/counter mode (NIST SP 800-38D).
    public enum GCM {
        /// A number that is used once under a key.
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            let bytes: [UInt8]

            /// Creates a random nonce of 12 bytes.
            public init() {
                var random = SystemRandomNumberGenerator()
                bytes = (0..<12).map { _ in random.next() }
            }

            /// Creates a nonce from its bytes, at least 12 of them.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize`.
            public init(data: some DataProtocol) throws {
                guard data.count >= 12 else { throw CryptoKitError.incorrectParameterSize }
                bytes = [UInt8](data)
            }

            /// Calls a closure with the bytes.
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows
                -> R
            {
                try bytes.withUnsafeBytes(body)
            }

            /// The bytes one by one.
            public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }
        }

        /// What a message becomes: nonce, ciphertext and tag.
        public struct SealedBox: Sendable {
            /// The nonce.
            public let nonce: Nonce
            /// The ciphertext, as long as the message.
            public let ciphertext: Data
            /// The tag, 16 bytes.
            public let tag: Data

            /// Nonce, ciphertext and tag one after the other; nil if the nonce has not 12 bytes.
            public var combined: Data? {
                nonce.bytes.count != 12 ? nil : Data(nonce.bytes) + ciphertext + tag
            }

            /// Takes apart a nonce of 12 bytes, ciphertext and tag.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` if they are too short.
            public init(combined: some DataProtocol) throws {
                let bytes = [UInt8](combined)
                guard bytes.count >= 12 + 16 else { throw CryptoKitError.incorrectParameterSize }
                nonce = try Nonce(data: bytes.prefix(12))
                ciphertext = Data(bytes[12..<bytes.count - 16])
                tag = Data(bytes.suffix(16))
            }

            /// Puts nonce, ciphertext and tag together.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for a tag of another size.
            public init(
                nonce: Nonce,
                ciphertext: some DataProtocol,
                tag: some DataProtocol
            ) throws {
                guard tag.count == 16 else { throw CryptoKitError.incorrectParameterSize }
                self.nonce = nonce
                self.ciphertext = Data(ciphertext)
                self.tag = Data(tag)
            }
        }

        /// Encrypts and authenticates a message.
        ///
        /// - Parameters:
        ///   - message: the message.
        ///   - key: 128, 192 or 256 bits.
        ///   - nonce: a nonce that this key never had; a random one if you name none.
        ///   - authenticatedData: data that must be the same when the box is opened.
        /// - Returns: the sealed message.
        /// - Throws: `CryptoKitError`.
        public static func seal(
            _ message: some DataProtocol,
            using key: SymmetricKey,
            nonce: Nonce? = nil,
            authenticating authenticatedData: some DataProtocol = Data()
        ) throws -> SealedBox {
            let nonce = nonce ?? Nonce()
            let message = Secret(copying: [UInt8](message))
            let sealed = try CryptoKitError.reporting { () throws(CryptographyError) in
                try message.withUnsafeBytes { bytes throws(CryptographyError) in
                    try AuthenticatedCipher.aesGCM.seal(
                        bytes,
                        key: key.bytes.secret,
                        nonce: nonce.bytes,
                        authenticating: [UInt8](authenticatedData)
                    )
                }
            }
            return try SealedBox(
                nonce: nonce,
                ciphertext: sealed.dropLast(16),
                tag: sealed.suffix(16)
            )
        }

        /// Verifies and decrypts a message.
        ///
        /// - Parameters:
        ///   - sealedBox: the sealed message.
        ///   - key: its key.
        ///   - authenticatedData: the data that it was sealed with.
        /// - Returns: the message, in memory that nothing wipes.
        /// - Throws: `CryptoKitError.authenticationFailure` if anything differs.
        public static func open(
            _ sealedBox: SealedBox,
            using key: SymmetricKey,
            authenticating authenticatedData: some DataProtocol = Data()
        ) throws -> Data {
            let message = try CryptoKitError.reporting { () throws(CryptographyError) in
                Secrets.SharedSecret(
                    try AuthenticatedCipher.aesGCM.open(
                        [UInt8](sealedBox.ciphertext),
                        tag: [UInt8](sealedBox.tag),
                        key: key.bytes.secret,
                        nonce: sealedBox.nonce.bytes,
                        authenticating: [UInt8](authenticatedData)
                    )
                )
            }
            return Data(message.secret.copyBytesUnprotected())
        }
    }
}
