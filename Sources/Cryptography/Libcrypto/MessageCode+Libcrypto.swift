import Secrets

@_implementationOnly import CCrypto

/// Authentication codes with a hash function by its name (RFC 2104), and keys from them (RFC 5869).
package enum MessageCode {
    /// Computes the authentication code of a message.
    ///
    /// - Parameters:
    ///   - message: Any size.
    ///   - key: Any size.
    ///   - function: The hash function.
    /// - Returns: As many bytes as a hash has.
    /// - Throws: `backend`.
    package static func code(
        of message: borrowing Secret,
        key: borrowing Secret,
        _ function: HashFunctionName
    ) throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        // libcrypto accepts no null pointer for an empty key; a zero byte is the same key.
        let key = key.byteCount == 0 ? Secret(copying: [0]) : key.duplicate()
        return try key.withUnsafeBytes { key throws(CryptographyError) in
            try message.withUnsafeBytes { message throws(CryptographyError) in
                try Secret(byteCount: function.byteCount) { output throws(CryptographyError) in
                    var written = 0
                    let made = EVP_Q_mac(
                        nil,
                        "HMAC",
                        nil,
                        function.name,
                        nil,
                        key.baseAddress,
                        key.count,
                        message.bindMemory(to: UInt8.self).baseAddress,
                        message.count,
                        output.bindMemory(to: UInt8.self).baseAddress,
                        output.count,
                        &written
                    )
                    guard made != nil, written == output.count else {
                        throw .backend("HMAC was not computed")
                    }
                }
            }
        }
    }

    /// Derives a key from a pseudorandom one (HKDF's second step, RFC 5869 §2.3).
    ///
    /// - Parameters:
    ///   - key: The result of the first step: the code of the input under the salt.
    ///   - info: Any size.
    ///   - byteCount: The size of the result, 1 to 255 hashes.
    ///   - function: The hash function.
    /// - Returns: The key.
    /// - Throws: `invalidInput` for another size; `backend`.
    package static func expand(
        _ key: borrowing Secret,
        info: [UInt8],
        byteCount: Int,
        _ function: HashFunctionName
    ) throws(CryptographyError) -> Secret {
        guard (1...255 * function.byteCount).contains(byteCount) else {
            throw .invalidInput("derived key not of 1 byte to 255 hashes")
        }
        var block = Secret(copying: [])
        var output = Secret(copying: [])
        var index: UInt8 = 0
        while output.byteCount < byteCount {
            index += 1
            let message = Secret(concatenating: block, Secret(copying: info + [index]))
            block = try code(of: message, key: key, function)
            output = Secret(concatenating: output, block)
        }
        return output.withUnsafeBytes { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
        }
    }
}
