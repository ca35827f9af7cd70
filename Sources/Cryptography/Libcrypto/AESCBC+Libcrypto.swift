import Secrets

@_implementationOnly import CCrypto

extension AESCBC {
    /// Encrypts checked input; see `encrypt`.
    static func transform(
        _ plaintext: borrowing Secret,
        _ key: borrowing Secret,
        _ vector: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let context = try keyedContext(.encrypt, key, vector)
        let room = plaintext.byteCount + blockByteCount
        var ciphertext = [UInt8](repeating: 0, count: room)
        let count = try ciphertext.withUnsafeMutableBufferPointer {
            buffer throws(CryptographyError) in
            let output = UnsafeMutableRawBufferPointer(buffer)
            return try plaintext.withUnsafeBytes { input throws(CryptographyError) in
                try run(context, input, output)
            }
        }
        ciphertext.removeLast(room - count)
        return ciphertext
    }

    /// Decrypts checked input; see `decrypt`.
    static func restore(
        _ ciphertext: borrowing Secret,
        _ key: borrowing Secret,
        _ vector: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let context = try keyedContext(.decrypt, key, vector)
        var count = 0
        let padded = try Secret(byteCount: ciphertext.byteCount + blockByteCount) {
            output throws(CryptographyError) in
            count = try ciphertext.withUnsafeBytes { input throws(CryptographyError) in
                do throws(CryptographyError) { return try run(context, input, output) } catch {
                    throw .authenticationFailed
                }
            }
        }
        return padded.withUnsafeBytes { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func keyedContext(
        _ direction: CipherContext.Direction,
        _ key: borrowing Secret,
        _ vector: [UInt8]
    ) throws(CryptographyError) -> CipherContext {
        forgetEarlierErrors()
        let context = try CipherContext()
        let cipher = try require(EVP_aes_128_cbc())
        try key.withUnsafeBytes { key throws(CryptographyError) in
            let key = key.bindMemory(to: UInt8.self).baseAddress
            let way = direction.rawValue
            try require(EVP_CipherInit_ex2(context.pointer, cipher, key, vector, way, nil))
        }
        return context
    }

    /// Feeds all of a message and ends it; the output is one block larger than the input.
    private static func run(
        _ context: borrowing CipherContext,
        _ input: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) -> Int {
        let source = input.bindMemory(to: UInt8.self).baseAddress
        let target = output.bindMemory(to: UInt8.self).baseAddress
        var written: Int32 = 0
        if !input.isEmpty {
            let count = Int32(input.count)
            try require(EVP_CipherUpdate(context.pointer, target, &written, source, count))
        }
        var last: Int32 = 0
        let rest = target?.advanced(by: Int(written))
        try require(EVP_CipherFinal_ex(context.pointer, rest, &last))
        return Int(written) + Int(last)
    }
}
