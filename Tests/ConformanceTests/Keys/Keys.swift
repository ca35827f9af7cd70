import Security

/// What a function that reports through a `CFError` returned.
struct Outcome<Value> {
    let value: Value?
    /// The error's code; 0 when there was none.
    let status: OSStatus
    /// The error's domain; empty when there was none.
    let domain: String

    init(_ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?) {
        var error: Unmanaged<CFError>?
        value = call(&error)
        let found = error?.takeRetainedValue()
        status = found.map { OSStatus(CFErrorGetCode($0)) } ?? errSecSuccess
        domain = found.map { CFErrorGetDomain($0) as String } ?? ""
    }

    /// Whether there is an error, that one, and nothing else.
    func isRefusal(_ expected: OSStatus, _ expectedDomain: String = NSOSStatusErrorDomain) -> Bool {
        value == nil && status == expected && domain == expectedDomain
    }
}

/// The key functions, called with literals.
enum Keys {
    static func make(_ parameters: Attributes) -> Outcome<SecKey> {
        Outcome { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    }

    static func read(_ bytes: Data, _ form: Attributes) -> Outcome<SecKey> {
        Outcome { SecKeyCreateWithData(bytes as CFData, form as CFDictionary, $0) }
    }

    static func export(_ key: SecKey) -> Outcome<Data> {
        Outcome { SecKeyCopyExternalRepresentation(key, $0) as Data? }
    }

    static func sign(
        _ key: SecKey,
        _ algorithm: SecKeyAlgorithm,
        _ input: Data
    ) -> Outcome<Data> {
        Outcome { SecKeyCreateSignature(key, algorithm, input as CFData, $0) as Data? }
    }

    /// The value is `true` or nil, for a signature that fits or does not.
    static func verify(
        _ key: SecKey,
        _ algorithm: SecKeyAlgorithm,
        _ input: Data,
        _ signature: Data
    ) -> Outcome<Bool> {
        Outcome {
            SecKeyVerifySignature(key, algorithm, input as CFData, signature as CFData, $0)
                ? true : nil
        }
    }

    static func encrypt(
        _ key: SecKey,
        _ algorithm: SecKeyAlgorithm,
        _ plaintext: Data
    ) -> Outcome<Data> {
        Outcome { SecKeyCreateEncryptedData(key, algorithm, plaintext as CFData, $0) as Data? }
    }

    static func decrypt(
        _ key: SecKey,
        _ algorithm: SecKeyAlgorithm,
        _ ciphertext: Data
    ) -> Outcome<Data> {
        Outcome { SecKeyCreateDecryptedData(key, algorithm, ciphertext as CFData, $0) as Data? }
    }

    static func agree(
        _ key: SecKey,
        _ algorithm: SecKeyAlgorithm,
        with peer: SecKey,
        size: Int? = nil,
        sharedInfo: Data? = nil
    ) -> Outcome<Data> {
        var parameters: [String: Any] = [:]
        parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue as String] = size
        parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue as String] = sharedInfo
        return Outcome {
            SecKeyCopyKeyExchangeResult(key, algorithm, peer, parameters as CFDictionary, $0)
                as Data?
        }
    }

    /// The attributes that the key says it has.
    static func attributes(_ key: SecKey) -> [String: Any] {
        SecKeyCopyAttributes(key) as? [String: Any] ?? [:]
    }
}

extension Data {
    /// The same with one bit changed.
    func flipping(byte position: Int) -> Data {
        var bytes = [UInt8](self)
        bytes[position] ^= 1
        return Data(bytes)
    }

    /// Bytes from hexadecimal digits; blanks count for nothing.
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        self.init(bytes)
    }
}
