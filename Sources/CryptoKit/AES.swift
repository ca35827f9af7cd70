import Cryptography
public import Foundation

/// The cipher of FIPS 197.
public enum AES {
    /// AES in Galois/counter mode (NIST SP 800-38D).
    public enum GCM {
        /// A number that is used once under a key.
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            let bytes: [UInt8]

            init(bytes: [UInt8]) { self.bytes = bytes }

            /// Creates a random nonce of 12 bytes.
            public init() { bytes = AuthenticatedCipher.randomNonce() }

            /// Creates a nonce from its bytes, at least 12 of them.
            ///
            /// A nonce of more than 128 bytes is an error when it is used.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize`.
            public init(data: some DataProtocol) throws {
                bytes = try AuthenticatedCipher.aesGCM.nonce(data)
            }

            /// Calls a closure with the bytes.
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows
                -> R
            {
                try bytes.withUnsafeBytes(body)
            }

            /// Returns an iterator over the bytes.
            public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }
        }

        /// A sealed message: nonce, ciphertext and tag.
        public struct SealedBox: Sendable {
            let message: SealedMessage

            init(_ message: SealedMessage) { self.message = message }

            /// The nonce.
            public var nonce: Nonce { Nonce(bytes: message.nonce) }
            /// The ciphertext, as long as the message.
            public var ciphertext: Data { message.ciphertext }
            /// The tag, 16 bytes.
            public var tag: Data { message.tag }

            /// Nonce, ciphertext and tag one after the other; nil if the nonce has not 12 bytes.
            public var combined: Data? {
                message.nonce.count == SealedMessage.nonceByteCount ? message.combined : nil
            }

            /// Splits data into a nonce of 12 bytes, ciphertext and tag.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` if they are too short.
            public init(combined: some DataProtocol) throws {
                message = try SealedMessage(combined: combined)
            }

            /// Combines nonce, ciphertext and tag.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for a tag of another size.
            public init(
                nonce: Nonce,
                ciphertext: some DataProtocol,
                tag: some DataProtocol
            ) throws {
                message = try SealedMessage(nonce: nonce.bytes, ciphertext: ciphertext, tag: tag)
            }
        }

        /// Encrypts and authenticates a message.
        ///
        /// - Parameters:
        ///   - message: the message.
        ///   - key: 128, 192 or 256 bits.
        ///   - nonce: a nonce that was never used with this key; by default a random one.
        ///   - authenticatedData: data that must be the same when the box is opened.
        /// - Returns: the sealed message.
        /// - Throws: `CryptoKitError`.
        public static func seal(
            _ message: some DataProtocol,
            using key: SymmetricKey,
            nonce: Nonce? = nil,
            authenticating authenticatedData: some DataProtocol = Data()
        ) throws -> SealedBox {
            SealedBox(
                try AuthenticatedCipher.aesGCM.sealed(
                    message,
                    using: key,
                    nonce: nonce?.bytes,
                    authenticating: authenticatedData
                )
            )
        }

        /// Verifies and decrypts a message.
        ///
        /// - Parameters:
        ///   - sealedBox: the sealed message.
        ///   - key: its key.
        ///   - authenticatedData: the data that it was sealed with.
        /// - Returns: the message, in memory that is not wiped.
        /// - Throws: `CryptoKitError.authenticationFailure` if anything differs.
        public static func open(
            _ sealedBox: SealedBox,
            using key: SymmetricKey,
            authenticating authenticatedData: some DataProtocol = Data()
        ) throws -> Data {
            try AuthenticatedCipher.aesGCM.opened(
                sealedBox.message,
                using: key,
                authenticating: authenticatedData
            )
        }
    }
}
