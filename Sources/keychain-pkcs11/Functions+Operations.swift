import PKCS11Token

// Operations. The functions of a group differ only in the kind of operation.

private func begin(
    _ kind: OperationKind,
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ key: UInt? = nil
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        try module.begin(kind, in: session, try Argument.mechanism(mechanism), key: key)
    }
}

private func update(
    _ kind: OperationKind,
    _ session: UInt,
    _ part: UnsafePointer<UInt8>?,
    _ count: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.update(kind, in: session, try Argument.bytes(part, count))
    }
}

private func finish(
    _ kind: OperationKind,
    _ session: UInt,
    _ whole: (start: UnsafePointer<UInt8>?, count: UInt)?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let input = try whole.map { part throws(ReturnCode) in
            try Argument.bytes(part.start, part.count)
        }
        try Delivery.output(output, outputCount) { capacity throws(ReturnCode) in
            try module.finish(kind, in: session, input, capacity: capacity)
        }
    }
}

private func transform(
    _ kind: OperationKind,
    _ session: UInt,
    _ input: (start: UnsafePointer<UInt8>?, count: UInt),
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let bytes = try Argument.bytes(input.start, input.count)
        try Delivery.output(output, outputCount) { capacity throws(ReturnCode) in
            try module.transform(kind, in: session, bytes, capacity: capacity)
        }
    }
}

private func stream(
    _ kind: OperationKind,
    _ session: UInt,
    _ part: (start: UnsafePointer<UInt8>?, count: UInt)?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let bytes = try part.map { part throws(ReturnCode) in
            try Argument.bytes(part.start, part.count)
        }
        try Delivery.output(output, outputCount) { capacity throws(ReturnCode) in
            try module.stream(kind, in: session, bytes, capacity: capacity)
        }
    }
}

private func check(
    _ session: UInt,
    _ whole: (start: UnsafePointer<UInt8>?, count: UInt)?,
    _ signature: UnsafePointer<UInt8>?,
    _ signatureCount: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        let input = try whole.map { part throws(ReturnCode) in
            try Argument.bytes(part.start, part.count)
        }
        // No signature is longer than a block of the largest key.
        guard signatureCount <= 1024 else { throw .signatureLengthRange }
        let bytes = [UInt8](try Argument.bytes(signature, signatureCount))
        try module.verify(in: session, input, bytes)
    }
}

@_cdecl("keychain_C_EncryptInit")
package func encryptInit(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ key: UInt
) -> UInt {
    begin(.encrypt, session, mechanism, key)
}

@_cdecl("keychain_C_Encrypt")
package func encrypt(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    transform(.encrypt, session, (input, inputCount), output, outputCount)
}

@_cdecl("keychain_C_DecryptInit")
package func decryptInit(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ key: UInt
) -> UInt {
    begin(.decrypt, session, mechanism, key)
}

@_cdecl("keychain_C_Decrypt")
package func decrypt(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    transform(.decrypt, session, (input, inputCount), output, outputCount)
}

@_cdecl("keychain_C_EncryptUpdate")
package func encryptUpdate(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    stream(.encrypt, session, (input, inputCount), output, outputCount)
}

@_cdecl("keychain_C_EncryptFinal")
package func encryptFinal(
    _ session: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    stream(.encrypt, session, nil, output, outputCount)
}

@_cdecl("keychain_C_DecryptUpdate")
package func decryptUpdate(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    stream(.decrypt, session, (input, inputCount), output, outputCount)
}

@_cdecl("keychain_C_DecryptFinal")
package func decryptFinal(
    _ session: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    stream(.decrypt, session, nil, output, outputCount)
}

@_cdecl("keychain_C_DigestInit")
package func digestInit(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?
) -> UInt {
    begin(.digest, session, mechanism)
}

@_cdecl("keychain_C_SignInit")
package func signInit(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ key: UInt
) -> UInt {
    begin(.sign, session, mechanism, key)
}

@_cdecl("keychain_C_Digest")
package func digest(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    finish(.digest, session, (input, inputCount), output, outputCount)
}

@_cdecl("keychain_C_DigestUpdate")
package func digestUpdate(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt
) -> UInt {
    update(.digest, session, input, inputCount)
}

@_cdecl("keychain_C_DigestKey")
package func digestKey(_ session: UInt, _ key: UInt) -> UInt {
    answer { module throws(ReturnCode) in try module.digestKey(key, in: session) }
}

@_cdecl("keychain_C_DigestFinal")
package func digestFinal(
    _ session: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    finish(.digest, session, nil, output, outputCount)
}

@_cdecl("keychain_C_Sign")
package func sign(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    finish(.sign, session, (input, inputCount), output, outputCount)
}

@_cdecl("keychain_C_SignUpdate")
package func signUpdate(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt
) -> UInt {
    update(.sign, session, input, inputCount)
}

@_cdecl("keychain_C_SignFinal")
package func signFinal(
    _ session: UInt,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    finish(.sign, session, nil, output, outputCount)
}

@_cdecl("keychain_C_VerifyInit")
package func verifyInit(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ key: UInt
) -> UInt {
    begin(.verify, session, mechanism, key)
}

@_cdecl("keychain_C_Verify")
package func verify(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt,
    _ signature: UnsafePointer<UInt8>?,
    _ signatureCount: UInt
) -> UInt {
    check(session, (input, inputCount), signature, signatureCount)
}

@_cdecl("keychain_C_VerifyUpdate")
package func verifyUpdate(
    _ session: UInt,
    _ input: UnsafePointer<UInt8>?,
    _ inputCount: UInt
) -> UInt {
    update(.verify, session, input, inputCount)
}

@_cdecl("keychain_C_VerifyFinal")
package func verifyFinal(
    _ session: UInt,
    _ signature: UnsafePointer<UInt8>?,
    _ signatureCount: UInt
) -> UInt {
    check(session, nil, signature, signatureCount)
}
