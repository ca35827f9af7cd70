import Cryptography
public import Foundation

extension SecureEnclave.P256 {
    /// The public half of a key, for the same purpose as its private half.
    public struct PublicKey<Purpose>: PublicPoint {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for other bytes, or if the point is not on the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation: x963Representation)
        }

        /// The point as `04 ‖ X ‖ Y`, 65 bytes (X9.63).
        public var x963Representation: Data { Data(key.externalRepresentation) }
    }
}
