import Secrets

@_implementationOnly import CCrypto

extension KeyHandle {
    /// Encrypts one block with the public half.
    ///
    /// - Throws: `backend`.
    func encrypt(
        _ plaintext: borrowing Secret,
        padding: EncryptionPadding
    ) throws(CryptographyError) -> [UInt8] {
        let context = try KeyContext(self)
        try require(EVP_PKEY_encrypt_init(context.pointer))
        try context.setPadding(padding)
        var block = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(pointer)))
        var byteCount = block.count
        try plaintext.withUnsafeBytes { bytes throws(CryptographyError) in
            // A null pointer has a meaning of its own, so empty input gets an address as well.
            var nothing: UInt8 = 0
            let source = bytes.bindMemory(to: UInt8.self)
            if let start = source.baseAddress {
                try require(
                    EVP_PKEY_encrypt(context.pointer, &block, &byteCount, start, source.count)
                )
            } else {
                try require(EVP_PKEY_encrypt(context.pointer, &block, &byteCount, &nothing, 0))
            }
        }
        return Array(block.prefix(byteCount))
    }

    /// Decrypts one block with the private half.
    ///
    /// - Parameters:
    ///   - block: As many bytes as the modulus has.
    ///   - padding: The padding of the plaintext.
    ///   - byteCount: The size of the modulus in bytes.
    /// - Returns: The plaintext; a whole block without padding.
    /// - Throws: `authenticationFailed` if the padding is wrong; `backend`.
    func decrypt(
        _ block: [UInt8],
        padding: EncryptionPadding,
        byteCount: Int
    ) throws(CryptographyError) -> Secret {
        let context = try KeyContext(self)
        try require(EVP_PKEY_decrypt_init(context.pointer))
        try context.setPadding(padding)
        var written = byteCount
        let whole = try Secret(byteCount: byteCount) { output throws(CryptographyError) in
            let target = output.bindMemory(to: UInt8.self).baseAddress
            let result = EVP_PKEY_decrypt(context.pointer, target, &written, block, block.count)
            forgetEarlierErrors()
            guard result == 1 else { throw .authenticationFailed }
        }
        return whole.withUnsafeBytes { bytes in Secret(copying: bytes.prefix(written)) }
    }
}
