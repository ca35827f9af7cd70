import Security

/// Lets tests call deprecated key functions without the warning that client code gets.
protocol DeprecatedKeys {
    static func pair(of parameters: Attributes) -> (privateKey: SecKey, publicKey: SecKey)?
    static func status(_ parameters: Attributes) -> OSStatus
}

/// Bytes that a function wrote, or the status that it returned instead.
struct WrittenBytes {
    let status: OSStatus
    let bytes: Data?

    init(room: Int, _ write: (UnsafeMutablePointer<UInt8>, inout Int) -> OSStatus) {
        var buffer = [UInt8](repeating: 0, count: room)
        var count = room
        status = buffer.withUnsafeMutableBufferPointer { output in
            output.baseAddress.map { write($0, &count) } ?? errSecParam
        }
        bytes = status == errSecSuccess ? Data(buffer.prefix(count)) : nil
    }
}

/// The functions that write into memory of the caller.
protocol RawOperations {
    func sign(_ key: SecKey, _ padding: SecPadding, _ digest: Data, room: Int) -> WrittenBytes
    func verify(
        _ key: SecKey,
        _ padding: SecPadding,
        _ digest: Data,
        _ signature: Data
    ) -> OSStatus
    func encrypt(_ key: SecKey, _ padding: SecPadding, _ block: Data) -> WrittenBytes
    func decrypt(_ key: SecKey, _ padding: SecPadding, _ block: Data) -> WrittenBytes
}

extension RawOperations {
    func sign(_ key: SecKey, _ padding: SecPadding, _ digest: Data) -> WrittenBytes {
        sign(key, padding, digest, room: 1024)
    }
}

extension Deprecated {
    static var rawOperations: any RawOperations { Raw() }

    private struct Raw: RawOperations {
        @available(*, deprecated)
        func sign(
            _ key: SecKey,
            _ padding: SecPadding,
            _ digest: Data,
            room: Int
        ) -> WrittenBytes {
            WrittenBytes(room: room) {
                SecKeyRawSign(key, padding, [UInt8](digest), digest.count, $0, &$1)
            }
        }

        @available(*, deprecated)
        func verify(
            _ key: SecKey,
            _ padding: SecPadding,
            _ digest: Data,
            _ signature: Data
        ) -> OSStatus {
            SecKeyRawVerify(
                key,
                padding,
                [UInt8](digest),
                digest.count,
                [UInt8](signature),
                signature.count
            )
        }

        @available(*, deprecated)
        func encrypt(_ key: SecKey, _ padding: SecPadding, _ block: Data) -> WrittenBytes {
            WrittenBytes(room: 1024) {
                SecKeyEncrypt(key, padding, [UInt8](block), block.count, $0, &$1)
            }
        }

        @available(*, deprecated)
        func decrypt(_ key: SecKey, _ padding: SecPadding, _ block: Data) -> WrittenBytes {
            WrittenBytes(room: 1024) {
                SecKeyDecrypt(key, padding, [UInt8](block), block.count, $0, &$1)
            }
        }
    }
}

/// The deprecated questions about trust.
protocol DeprecatedTrust {
    static func certificate(of trust: SecTrust, at index: Int) -> SecCertificate?
    static func publicKey(of trust: SecTrust) -> SecKey?
}

extension Deprecated {
    static var trust: any DeprecatedTrust.Type { Trust.self }

    private enum Trust: DeprecatedTrust {
        @available(*, deprecated)
        static func certificate(of trust: SecTrust, at index: Int) -> SecCertificate? {
            SecTrustGetCertificateAtIndex(trust, index)
        }

        @available(*, deprecated)
        static func publicKey(of trust: SecTrust) -> SecKey? { SecTrustCopyPublicKey(trust) }
    }
}

extension Deprecated {
    static var keys: any DeprecatedKeys.Type { Generation.self }

    private enum Generation: DeprecatedKeys {
        @available(*, deprecated)
        static func pair(of parameters: Attributes) -> (privateKey: SecKey, publicKey: SecKey)? {
            var halves: (publicKey: SecKey?, privateKey: SecKey?) = (nil, nil)
            let status = SecKeyGeneratePair(
                parameters as CFDictionary,
                &halves.publicKey,
                &halves.privateKey
            )
            guard status == errSecSuccess, let own = halves.privateKey,
                let shared = halves.publicKey
            else { return nil }
            return (own, shared)
        }

        @available(*, deprecated)
        static func status(_ parameters: Attributes) -> OSStatus {
            SecKeyGeneratePair(parameters as CFDictionary, nil, nil)
        }
    }
}
