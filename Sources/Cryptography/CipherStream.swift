/// A symmetric cipher in a mode, without padding, for interfaces that name ciphers.
///
/// It authenticates nothing. The data that this package seals use AES-GCM.
package final class CipherStream {
    /// The ciphers.
    package enum Cipher: Sendable, CaseIterable {
        case aes, des, tripleDES, cast, blowfish, rc4

        /// The size of a block in bytes; 1 for a stream of bytes.
        package var blockByteCount: Int {
            switch self {
            case .aes: 16
            case .des, .tripleDES, .cast, .blowfish: 8
            case .rc4: 1
            }
        }

        /// Whether a key may have a number of bytes.
        package func takes(keyByteCount: Int) -> Bool {
            switch self {
            case .aes: [16, 24, 32].contains(keyByteCount)
            case .des: keyByteCount == 8
            case .tripleDES: keyByteCount == 24
            case .cast: (5...16).contains(keyByteCount)
            case .blowfish: (8...56).contains(keyByteCount)
            case .rc4: (1...512).contains(keyByteCount)
            }
        }
    }

    /// The mode in which blocks are chained.
    package enum Mode: Sendable, CaseIterable {
        case ecb, cbc, cfb, cfb8, ofb, ctr

        /// Whether the cipher takes any number of bytes in this mode.
        package var isStreaming: Bool { self != .ecb && self != .cbc }
    }

    /// The libcrypto object.
    let context: CipherContext
    private let startVector: [UInt8]

    /// Starts a message.
    ///
    /// - Parameters:
    ///   - cipher: The cipher.
    ///   - mode: The mode; RC4 has none and ignores it.
    ///   - encrypts: Whether to encrypt; otherwise to decrypt.
    ///   - key: A key of a size that the cipher takes.
    ///   - vector: A block; nil for zeros. ECB and RC4 ignore it.
    /// - Throws: `invalidInput` for a key of another size, or a mode that the cipher does not have;
    ///   `backend`.
    package init(
        _ cipher: Cipher,
        _ mode: Mode,
        encrypts: Bool,
        key: UnsafeRawBufferPointer,
        vector: UnsafeRawBufferPointer?
    ) throws(CryptographyError) {
        guard cipher.takes(keyByteCount: key.count) else { throw .invalidInput("size of the key") }
        guard let name = cipher.name(mode, keyByteCount: key.count) else {
            throw .invalidInput("mode of the cipher")
        }
        startVector = vector.map { Array($0) } ?? Array(repeating: 0, count: cipher.blockByteCount)
        context = try CipherContext()
        // Single DES is triple DES with the same key three times.
        let repeats = cipher == .des ? 3 : 1
        let isLegacy = cipher != .aes && cipher != .des && cipher != .tripleDES
        try start(name, isLegacy, encrypts, key, repeats)
    }

    /// Processes bytes.
    ///
    /// - Parameters:
    ///   - input: Whole blocks, if the mode does not stream.
    ///   - output: As much room as `input` has bytes; it may be the same memory.
    /// - Throws: `invalidInput` for too little room; `backend`.
    package func update(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        guard output.count >= input.count else { throw .invalidInput("room for the output") }
        // libcrypto counts in 31 bits.
        let limit = 1 << 30
        var start = 0
        while start < input.count {
            let end = min(input.count, start + limit)
            try context.update(
                UnsafeRawBufferPointer(rebasing: input[start..<end]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[start..<end])
            )
            start = end
        }
    }

    /// Starts another message under the same key.
    ///
    /// - Parameter vector: A block; nil for zeros.
    /// - Throws: `backend`.
    package func restart(vector: UnsafeRawBufferPointer?) throws(CryptographyError) {
        let zeros = [UInt8](repeating: 0, count: startVector.count)
        try restart(vector.map { Array($0) } ?? zeros)
    }

    private func start(
        _ name: String,
        _ isLegacy: Bool,
        _ encrypts: Bool,
        _ key: UnsafeRawBufferPointer,
        _ repeats: Int
    ) throws(CryptographyError) {
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: key.count * repeats,
            alignment: 8
        )
        defer {
            wipe(copy)
            copy.deallocate()
        }
        for number in 0..<repeats {
            let part = copy[(number * key.count)..<((number + 1) * key.count)]
            UnsafeMutableRawBufferPointer(rebasing: part).copyMemory(from: key)
        }
        try start(name, isLegacy, encrypts, UnsafeRawBufferPointer(copy), startVector)
    }
}

extension CipherStream.Cipher {
    /// Returns the cipher's name in libcrypto, or nil without such a mode.
    fileprivate func name(_ mode: CipherStream.Mode, keyByteCount: Int) -> String? {
        let cipher: String
        switch self {
        case .aes: cipher = "AES-\(keyByteCount * 8)"
        case .des, .tripleDES: cipher = "DES-EDE3"
        case .cast: cipher = "CAST5"
        case .blowfish: cipher = "BF"
        case .rc4: return "RC4"
        }
        switch mode {
        case .ecb: return cipher + "-ECB"
        case .cbc: return cipher + "-CBC"
        case .cfb: return cipher + "-CFB"
        case .ofb: return cipher + "-OFB"
        case .cfb8: return self == .cast || self == .blowfish ? nil : cipher + "-CFB8"
        case .ctr: return self == .aes ? cipher + "-CTR" : nil
        }
    }
}
