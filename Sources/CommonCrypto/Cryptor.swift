import Cryptography

// Definitions  "held": bytes of the caller that are not processed yet.
// Invariants   (1) `held` has less than a block, or one block if padding will be removed.
//              (2) The held bytes are overwritten when the cryptor ends.

/// A message that is encrypted or decrypted in parts.
final class Cryptor {
    private let stream: CipherStream
    private let blockByteCount: Int
    private let encrypts: Bool
    private let pads: Bool
    /// Whether the message can start again, as in CBC and CTR.
    let restarts: Bool
    private let held: UnsafeMutableRawBufferPointer
    private var heldCount = 0

    /// Validates the numbers of a caller and starts a message.
    ///
    /// - Throws: the status.
    init(
        _ operation: CCOperation,
        _ mode: CCMode,
        _ algorithm: CCAlgorithm,
        _ padding: CCPadding,
        key: UnsafeRawBufferPointer,
        vector: UnsafeRawPointer?
    ) throws(CryptorFailure) {
        guard operation <= kCCDecrypt, padding <= ccPKCS7Padding else { throw .init(kCCParamError) }
        guard let cipher = CipherStream.Cipher(algorithm), let way = CipherStream.Mode(mode, cipher)
        else { throw .init(kCCUnimplemented) }
        guard cipher.takes(keyByteCount: key.count) else { throw .init(kCCKeySizeError) }
        let isStreaming = cipher == .rc4 || way.isStreaming
        blockByteCount = isStreaming ? 1 : cipher.blockByteCount
        encrypts = operation == kCCEncrypt
        pads = padding == ccPKCS7Padding && !isStreaming
        restarts = way == .cbc || way == .ctr
        held = .allocate(byteCount: 2 * cipher.blockByteCount, alignment: 8)
        do throws(CryptographyError) {
            let size = cipher.blockByteCount
            stream = try CipherStream(
                cipher,
                way,
                encrypts: encrypts,
                key: key,
                vector: vector.map { UnsafeRawBufferPointer(start: $0, count: size) }
            )
        } catch {
            held.deallocate()
            if case .invalidInput = error { throw .init(kCCUnimplemented) }
            throw .init(status(of: error))
        }
    }

    deinit {
        overwrite(held)
        held.deallocate()
    }

    /// Returns the number of output bytes for a number of input bytes.
    ///
    /// - Parameters:
    ///   - count: the number of input bytes.
    ///   - isLast: whether the message ends with them.
    /// - Returns: the number of bytes; at the end of a decrypted message there may be fewer.
    func outputCount(of count: Int, isLast: Bool) -> Int {
        let total = heldCount + max(0, count)
        guard pads else { return total / blockByteCount * blockByteCount }
        if isLast { return encrypts ? (total / blockByteCount + 1) * blockByteCount : total }
        return processed(of: total)
    }

    /// Returns the number of bytes that are processed before the message ends.
    private func processed(of total: Int) -> Int {
        let kept = pads && !encrypts && total > 0 ? 1 : 0
        return (total - kept) / blockByteCount * blockByteCount
    }

    /// Processes bytes, and keeps those of an incomplete block.
    ///
    /// - Returns: the number of bytes written, which `outputCount` predicts.
    func update(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptorFailure) -> Int {
        var input = input
        var written = 0
        var left = processed(of: heldCount + input.count)
        if heldCount > 0, left > 0 {
            let missing = (blockByteCount - heldCount % blockByteCount) % blockByteCount
            hold(UnsafeRawBufferPointer(rebasing: input.prefix(missing)))
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst(missing))
            let first = min(heldCount, left)
            try process(UnsafeRawBufferPointer(rebasing: held[..<first]), output, at: written)
            written += first
            left -= first
            heldCount = 0
        }
        try process(UnsafeRawBufferPointer(rebasing: input.prefix(left)), output, at: written)
        written += left
        hold(UnsafeRawBufferPointer(rebasing: input.dropFirst(left)))
        return written
    }

    /// Ends the message.
    ///
    /// As in Apple's implementation, only the last byte determines the padding, and wrong padding
    /// is not removed: no caller learns that it is wrong.
    ///
    /// - Returns: the number of bytes written.
    /// - Source: Apple's corecrypto, ccpad_pkcs7_decode.
    func finish(into output: UnsafeMutableRawBufferPointer) throws(CryptorFailure) -> Int {
        guard pads else {
            guard heldCount == 0 else { throw .init(kCCAlignmentError) }
            return 0
        }
        if encrypts {
            let padding = blockByteCount - heldCount
            for index in heldCount..<blockByteCount { held[index] = UInt8(padding) }
        } else if heldCount == 0 {
            return 0
        } else if heldCount != blockByteCount {
            throw .init(kCCAlignmentError)
        }
        let block = UnsafeMutableRawBufferPointer(rebasing: held[..<blockByteCount])
        try process(UnsafeRawBufferPointer(block), block, at: 0)
        defer { overwrite(block) }
        heldCount = 0
        let padding = encrypts ? 0 : Int(block[blockByteCount - 1])
        let count = blockByteCount - ((1...blockByteCount).contains(padding) ? padding : 0)
        guard output.count >= count else { throw .init(kCCBufferTooSmall) }
        output.copyMemory(from: UnsafeRawBufferPointer(rebasing: held[..<count]))
        return count
    }

    /// Discards the message and starts another one under the same key.
    func restart(vector: UnsafeRawPointer?, blockByteCount: Int) throws(CryptorFailure) {
        overwrite(held)
        heldCount = 0
        do throws(CryptographyError) {
            try stream.restart(
                vector: vector.map { UnsafeRawBufferPointer(start: $0, count: blockByteCount) }
            )
        } catch {
            throw .init(status(of: error))
        }
    }

    /// The size of a start vector in bytes.
    var vectorByteCount: Int { held.count / 2 }

    private func hold(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        UnsafeMutableRawBufferPointer(rebasing: held[heldCount...]).copyMemory(from: bytes)
        heldCount += bytes.count
    }

    private func process(
        _ input: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer,
        at start: Int
    ) throws(CryptorFailure) {
        guard !input.isEmpty else { return }
        guard output.count - start >= input.count else { throw .init(kCCBufferTooSmall) }
        do throws(CryptographyError) {
            try stream.update(
                input,
                into: UnsafeMutableRawBufferPointer(rebasing: output[start...])
            )
        } catch {
            throw .init(status(of: error))
        }
    }
}

/// The status with which a call of a cryptor fails.
struct CryptorFailure: Error {
    let status: CCCryptorStatus

    init(_ status: Int) { self.status = CCCryptorStatus(status) }
}

extension CipherStream.Cipher {
    fileprivate init?(_ algorithm: CCAlgorithm) {
        switch Int(algorithm) {
        case kCCAlgorithmAES: self = .aes
        case kCCAlgorithmDES: self = .des
        case kCCAlgorithm3DES: self = .tripleDES
        case kCCAlgorithmCAST: self = .cast
        case kCCAlgorithmRC4: self = .rc4
        case kCCAlgorithmBlowfish: self = .blowfish
        default: return nil
        }
    }
}

extension CipherStream.Mode {
    fileprivate init?(_ mode: CCMode, _ cipher: CipherStream.Cipher) {
        switch Int(mode) {
        case kCCModeRC4 where cipher == .rc4: self = .ofb
        case _ where cipher == .rc4: return nil
        case kCCModeECB: self = .ecb
        case kCCModeCBC: self = .cbc
        case kCCModeCFB: self = .cfb
        case kCCModeCTR: self = .ctr
        case kCCModeOFB: self = .ofb
        case kCCModeCFB8: self = .cfb8
        default: return nil
        }
    }
}
