import Secrets

@_implementationOnly import CCrypto

extension Argon2id {
    /// Derives from checked input; see `stretch`.
    static func derive(
        from passcode: borrowing Secret,
        salt: [UInt8],
        pepper: borrowing Secret,
        associating associatedData: [UInt8],
        cost: Cost
    ) throws(CryptographyError) -> Secret {
        try Secret(byteCount: keyByteCount) { output throws(CryptographyError) in
            try passcode.withUnsafeBytes { passcode throws(CryptographyError) in
                try pepper.withUnsafeBytes { pepper throws(CryptographyError) in
                    var input = ccrypto_argon2id_input()
                    input.passes = cost.passes
                    input.memory_kib = cost.memoryKiB
                    input.lanes = cost.lanes
                    input.password = passcode.baseAddress
                    input.password_count = passcode.count
                    input.secret = pepper.baseAddress
                    input.secret_count = pepper.count
                    try run(input, salt: salt, associating: associatedData, into: output)
                }
            }
        }
    }

    private static func run(
        _ prepared: ccrypto_argon2id_input,
        salt: [UInt8],
        associating associatedData: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        guard let target = output.baseAddress else { return }
        var input = prepared
        try salt.withUnsafeBufferPointer { salt throws(CryptographyError) in
            input.salt = UnsafeRawPointer(salt.baseAddress)
            input.salt_count = salt.count
            try associatedData.withUnsafeBufferPointer { data throws(CryptographyError) in
                input.associated = data.isEmpty ? nil : UnsafeRawPointer(data.baseAddress)
                input.associated_count = data.count
                try requireArgon2(ccrypto_argon2id(&input, target, output.count))
            }
        }
    }

    /// Turns libargon2's codes into an error with libargon2's own message.
    private static func requireArgon2(_ result: Int32) throws(CryptographyError) {
        guard result != ARGON2_OK.rawValue else { return }
        throw .backend(String(cString: argon2_error_message(result)))
    }
}
