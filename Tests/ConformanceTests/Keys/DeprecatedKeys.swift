import Security

/// Lets tests call deprecated key functions without the warning that client code gets.
protocol DeprecatedKeys {
    static func pair(of parameters: Attributes) -> (privateKey: SecKey, publicKey: SecKey)?
    static func status(_ parameters: Attributes) -> OSStatus
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
