import Cryptography

/// A message that is encrypted or decrypted in parts; end it with `CCCryptorRelease`.
public typealias CCCryptorRef = OpaquePointer

/// Encrypts or decrypts a message.
///
/// ```swift
/// var output = [UInt8](repeating: 0, count: message.count + kCCBlockSizeAES128)
/// var count = 0
/// let status = CCCrypt(
///     CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding),
///     key, key.count, vector, message, message.count, &output, output.count, &count)
/// ```
///
/// The message is not authenticated: an attacker who changes the output changes the message. New
/// code uses `AES.GCM` of CryptoKit.
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - alg: the cipher.
///   - options: `kCCOptionPKCS7Padding`, `kCCOptionECBMode`, or both; without the second, CBC.
///   - key: the key.
///   - keyLength: its size in bytes.
///   - iv: a start block; nil for zeros.
///   - dataIn: the message.
///   - dataInLength: its size in bytes.
///   - dataOut: memory for the result.
///   - dataOutAvailable: its size. With padding, one block more than the message is enough.
///   - dataOutMoved: receives the size of the result, or the size that is needed.
/// - Returns: `kCCSuccess`; `kCCBufferTooSmall`; `kCCKeySizeError`; `kCCAlignmentError` for a
///   message that does not consist of whole blocks; `kCCUnimplemented`; `kCCParamError`. Wrong
///   padding is no error, as on Apple's platforms.
/// - Source: Apple's CommonCryptor.h and CommonCryptor.c.
@discardableResult
public func CCCrypt(
    _ op: CCOperation,
    _ alg: CCAlgorithm,
    _ options: CCOptions,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int,
    _ iv: UnsafeRawPointer!,
    _ dataIn: UnsafeRawPointer!,
    _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer!,
    _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    status { () throws(CryptorFailure) in
        let cryptor = try make(op, alg, options, key, keyLength, iv)
        let input = UnsafeRawBufferPointer(start: dataIn, count: dataIn == nil ? 0 : dataInLength)
        let needed = cryptor.outputCount(of: input.count, isLast: true)
        dataOutMoved?.pointee = needed
        guard needed <= dataOutAvailable else { throw .init(kCCBufferTooSmall) }
        let room = dataOut == nil ? 0 : dataOutAvailable
        let output = UnsafeMutableRawBufferPointer(start: dataOut, count: room)
        let first = try cryptor.update(input, into: output)
        let rest = UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(first))
        dataOutMoved?.pointee = first
        let last = try cryptor.finish(into: rest)
        dataOutMoved?.pointee = first + last
    }
}

/// Creates a message that is encrypted or decrypted in parts, in CBC or ECB.
///
/// - Returns: `kCCSuccess`, or the reason why there is no message; `CCCrypt` lists the statuses.
@discardableResult
public func CCCryptorCreate(
    _ op: CCOperation,
    _ alg: CCAlgorithm,
    _ options: CCOptions,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int,
    _ iv: UnsafeRawPointer!,
    _ cryptorRef: UnsafeMutablePointer<CCCryptorRef?>!
) -> CCCryptorStatus {
    status { () throws(CryptorFailure) in
        guard let cryptorRef else { throw .init(kCCParamError) }
        cryptorRef.pointee = nil
        cryptorRef.pointee = reference(to: try make(op, alg, options, key, keyLength, iv))
    }
}

/// Creates a message that is encrypted or decrypted in parts, in any mode.
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - mode: the mode.
///   - alg: the cipher.
///   - padding: `ccNoPadding` or `ccPKCS7Padding`; modes that stream ignore it.
///   - iv: a start block; nil for zeros.
///   - key: the key.
///   - keyLength: its size in bytes.
///   - tweak: unused, because there is no mode XTS.
///   - tweakLength: unused.
///   - numRounds: unused.
///   - options: unused; a counter is always big endian.
///   - cryptorRef: receives the message.
/// - Returns: `kCCSuccess`, or the reason why there is no message; `CCCrypt` lists the statuses.
@discardableResult
public func CCCryptorCreateWithMode(
    _ op: CCOperation,
    _ mode: CCMode,
    _ alg: CCAlgorithm,
    _ padding: CCPadding,
    _ iv: UnsafeRawPointer!,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int,
    _ tweak: UnsafeRawPointer!,
    _ tweakLength: Int,
    _ numRounds: Int32,
    _ options: CCModeOptions,
    _ cryptorRef: UnsafeMutablePointer<CCCryptorRef?>!
) -> CCCryptorStatus {
    status { () throws(CryptorFailure) in
        guard let cryptorRef, let key, keyLength >= 0 else { throw .init(kCCParamError) }
        cryptorRef.pointee = nil
        let bytes = UnsafeRawBufferPointer(start: key, count: keyLength)
        let made = try Cryptor(op, mode, alg, padding, key: bytes, vector: iv)
        cryptorRef.pointee = reference(to: made)
    }
}

/// Encrypts or decrypts a part of a message.
///
/// - Parameters:
///   - cryptorRef: the message.
///   - dataIn: the part.
///   - dataInLength: its size in bytes.
///   - dataOut: memory for the result; it may be that of the part.
///   - dataOutAvailable: its size in bytes; `CCCryptorGetOutputLength` returns the needed size.
///   - dataOutMoved: receives the size of the result, or the size that is needed.
/// - Returns: `kCCSuccess`; `kCCBufferTooSmall`; `kCCParamError` without a message.
@discardableResult
public func CCCryptorUpdate(
    _ cryptorRef: CCCryptorRef!,
    _ dataIn: UnsafeRawPointer!,
    _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer!,
    _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    status { () throws(CryptorFailure) in
        let cryptor = try cryptor(of: cryptorRef)
        dataOutMoved?.pointee = 0
        guard let dataIn, dataInLength > 0 else { return }
        let needed = cryptor.outputCount(of: dataInLength, isLast: false)
        guard needed <= dataOutAvailable else {
            dataOutMoved?.pointee = needed
            throw .init(kCCBufferTooSmall)
        }
        let room = dataOut == nil ? 0 : dataOutAvailable
        dataOutMoved?.pointee = try cryptor.update(
            UnsafeRawBufferPointer(start: dataIn, count: dataInLength),
            into: UnsafeMutableRawBufferPointer(start: dataOut, count: room)
        )
    }
}

/// Ends a message, and writes its last block.
///
/// - Parameters:
///   - cryptorRef: the message; nil is no error.
///   - dataOut: memory for the last block.
///   - dataOutAvailable: its size in bytes.
///   - dataOutMoved: receives the size of the last block.
/// - Returns: `kCCSuccess`; `kCCAlignmentError` if the message does not consist of whole blocks;
///   `kCCBufferTooSmall`.
@discardableResult
public func CCCryptorFinal(
    _ cryptorRef: CCCryptorRef!,
    _ dataOut: UnsafeMutableRawPointer!,
    _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    status { () throws(CryptorFailure) in
        dataOutMoved?.pointee = 0
        guard let cryptorRef else { return }
        let room = dataOut == nil ? 0 : max(0, dataOutAvailable)
        dataOutMoved?.pointee = try cryptor(of: cryptorRef).finish(
            into: UnsafeMutableRawBufferPointer(start: dataOut, count: room)
        )
    }
}

/// Returns the number of output bytes for a number of input bytes.
///
/// - Parameters:
///   - cryptorRef: the message.
///   - inputLength: the number of input bytes.
///   - final: whether the message ends with them.
/// - Returns: the largest number of output bytes.
@discardableResult
public func CCCryptorGetOutputLength(
    _ cryptorRef: CCCryptorRef!,
    _ inputLength: Int,
    _ final: Bool
) -> Int {
    guard let cryptor = try? cryptor(of: cryptorRef) else { return 0 }
    return cryptor.outputCount(of: inputLength, isLast: final)
}

/// Discards a message and starts another one under the same key.
///
/// - Parameters:
///   - cryptorRef: the message, in CBC or CTR.
///   - iv: a start block; nil for zeros.
/// - Returns: `kCCSuccess`; `kCCUnimplemented` in any other mode; `kCCParamError` without a
///   message.
@discardableResult
public func CCCryptorReset(
    _ cryptorRef: CCCryptorRef!,
    _ iv: UnsafeRawPointer!
) -> CCCryptorStatus {
    status { () throws(CryptorFailure) in
        let cryptor = try cryptor(of: cryptorRef)
        guard cryptor.restarts else { throw .init(kCCUnimplemented) }
        try cryptor.restart(vector: iv, blockByteCount: cryptor.vectorByteCount)
    }
}

/// Frees a message and overwrites its memory.
///
/// - Returns: `kCCSuccess`.
@discardableResult
public func CCCryptorRelease(_ cryptorRef: CCCryptorRef!) -> CCCryptorStatus {
    if let cryptorRef {
        Unmanaged<Cryptor>.fromOpaque(UnsafeRawPointer(cryptorRef)).release()
    }
    return CCCryptorStatus(kCCSuccess)
}

/// Creates a message by the options of the older functions.
private func make(
    _ op: CCOperation,
    _ alg: CCAlgorithm,
    _ options: CCOptions,
    _ key: UnsafeRawPointer?,
    _ keyLength: Int,
    _ iv: UnsafeRawPointer?
) throws(CryptorFailure) -> Cryptor {
    guard let key, keyLength >= 0 else { throw .init(kCCParamError) }
    let isECB = options & CCOptions(kCCOptionECBMode) != 0
    let blocks = isECB ? kCCModeECB : kCCModeCBC
    return try Cryptor(
        op,
        CCMode(alg == kCCAlgorithmRC4 ? kCCModeRC4 : blocks),
        alg,
        options & CCOptions(kCCOptionPKCS7Padding),
        key: UnsafeRawBufferPointer(start: key, count: keyLength),
        vector: isECB ? nil : iv
    )
}

private func reference(to cryptor: Cryptor) -> CCCryptorRef {
    CCCryptorRef(Unmanaged.passRetained(cryptor).toOpaque())
}

private func cryptor(of reference: CCCryptorRef?) throws(CryptorFailure) -> Cryptor {
    guard let reference else { throw .init(kCCParamError) }
    return Unmanaged<Cryptor>.fromOpaque(UnsafeRawPointer(reference)).takeUnretainedValue()
}

private func status(_ body: () throws(CryptorFailure) -> Void) -> CCCryptorStatus {
    do throws(CryptorFailure) {
        try body()
        return CCCryptorStatus(kCCSuccess)
    } catch {
        return error.status
    }
}
