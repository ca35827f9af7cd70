import Secrets

@_implementationOnly import CCrypto

/// A large number that may be part of a private key; cleansed at the end.
///
/// `@unchecked Sendable` is sound because the number never changes after `init`.
final class SecretInteger: @unchecked Sendable {
    /// The libcrypto object, owned by this one.
    let pointer: OpaquePointer

    /// Takes over a number.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Reads a number that is not negative.
    ///
    /// - Parameter bytes: Big-endian, at most 64 KiB.
    /// - Throws: `invalidInput` for more bytes; `backend`.
    convenience init(_ bytes: Slice<UnsafeRawBufferPointer>) throws(CryptographyError) {
        guard bytes.count <= 1 << 16 else { throw .invalidInput("number over 64 KiB") }
        let digits = UnsafeRawBufferPointer(rebasing: bytes).bindMemory(to: UInt8.self)
        self.init(owning: try require(BN_secure_new()))
        _ = try require(BN_bin2bn(digits.baseAddress, Int32(digits.count), pointer))
    }

    deinit {
        BN_clear_free(pointer)
    }

    /// The number of bits without leading zeros.
    var bitCount: Int { Int(BN_num_bits(pointer)) }

    /// Whether the last bit is set.
    var isOdd: Bool { BN_is_odd(pointer) == 1 }

    /// Writes the number, zeros in front.
    ///
    /// - Parameter byteCount: At least as many bytes as the number has.
    /// - Returns: The number, big-endian.
    /// - Throws: `backend` if it has more.
    func copyBytes(byteCount: Int) throws(CryptographyError) -> Secret {
        try Secret(byteCount: byteCount) { output throws(CryptographyError) in
            let target = output.bindMemory(to: UInt8.self).baseAddress
            let written = BN_bn2binpad(pointer, target, Int32(byteCount))
            guard Int(written) == byteCount else { throw .backend("number too large") }
        }
    }
}
