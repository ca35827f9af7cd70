import Secrets

@_implementationOnly import CCrypto

extension HMAC {
    /// Computes from checked input; see `code`.
    static func compute(
        _ message: borrowing Secret,
        _ key: borrowing Secret,
        _ hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        return try key.withUnsafeBytes { key throws(CryptographyError) in
            try message.withUnsafeBytes { message throws(CryptographyError) in
                try Secret(byteCount: hash.byteCount) { output throws(CryptographyError) in
                    var written = 0
                    let made = EVP_Q_mac(
                        nil,
                        "HMAC",
                        nil,
                        hash.name,
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
}
