import Cryptography
public import Foundation
import Secrets

/// The size of a symmetric key.
public struct SymmetricKeySize: Sendable {
    /// The size in bits.
    public let bitCount: Int

    /// Creates a size, a positive multiple of 8; another number stops the program.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount.isMultiple(of: 8), "a key is a number of bytes")
        self.bitCount = bitCount
    }

    /// 128 bits.
    public static var bits128: SymmetricKeySize { .init(bitCount: 128) }
    /// 192 bits.
    public static var bits192: SymmetricKeySize { .init(bitCount: 192) }
    /// 256 bits.
    public static var bits256: SymmetricKeySize { .init(bitCount: 256) }
}

/// A key in memory that is wiped when the last copy ends.
///
/// It has no form for a key item of the keychain. Store its bytes as a generic password.
public struct SymmetricKey: ContiguousBytes, Sendable {
    let bytes: Secrets.SharedSecret

    init(_ secret: consuming Secret) { bytes = Secrets.SharedSecret(secret) }

    /// Creates a key from a copy of its bytes.
    public init(data: some ContiguousBytes) {
        bytes = data.withUnsafeBytes { Secrets.SharedSecret(Secret(copying: $0)) }
    }

    /// Creates a random key.
    public init(size: SymmetricKeySize) {
        var random = SystemRandomNumberGenerator()
        self.init(
            Secret(byteCount: size.bitCount / 8) { target in
                for index in target.indices { target[index] = random.next() }
            }
        )
    }

    /// The size in bits.
    public var bitCount: Int { bytes.secret.byteCount * 8 }

    /// Calls a closure with the bytes, which are valid during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.secret.withUnsafeBytes { try body($0) }
    }
}

extension SymmetricKey: Equatable {
    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.secret.constantTimeEquals(right.bytes.secret)
    }
}
