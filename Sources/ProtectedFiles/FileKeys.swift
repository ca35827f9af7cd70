import Cryptography
import KeychainMessages
import Secrets

/// The keys of one file, ready for use; wiped when the value's life ends.
///
/// - Source: Documentation/Spec/file.md §4.
final class FileKeys {
    private let key: SharedSecret
    private let identifier: FileIdentifier
    private let file: [UInt8]
    private let header: ChunkCipher
    private let content: ChunkCipher
    private let random = SystemRandomSource()

    init(_ key: borrowing Secret, of file: FileIdentifier) throws(CryptographyError) {
        self.key = SharedSecret(key.duplicate())
        identifier = file
        self.file = file.bytes
        header = try ChunkCipher(key: Self.derive(key, "header", file))
        content = try ChunkCipher(key: Self.derive(key, "content", file))
    }

    /// Returns the same keys for another thread.
    func twin() throws(CryptographyError) -> FileKeys { try FileKeys(key.secret, of: identifier) }

    private static func derive(
        _ key: borrowing Secret,
        _ purpose: String,
        _ file: FileIdentifier
    ) throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(
            from: key,
            salt: file.bytes,
            info: Array("swprotfl \(purpose)".utf8),
            byteCount: AESGCM.keyByteCount
        )
    }

    /// Seals the content of a chunk into a buffer that is 28 bytes longer.
    func seal(
        _ chunk: UInt32,
        _ plaintext: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        try random.fill(UnsafeMutableRawBufferPointer(rebasing: output[..<12]))
        let place = file + BigEndian.bytes(UInt64(chunk))
        try content.seal(plaintext, into: output, authenticating: place)
    }

    /// Opens a chunk into a buffer that is 28 bytes shorter; zeros it if the chunk is another one.
    func open(
        _ chunk: UInt32,
        _ sealed: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        let place = file + BigEndian.bytes(UInt64(chunk))
        try content.open(sealed, into: output, authenticating: place)
    }

    /// Seals a part of the header.
    func seal(_ bytes: [UInt8], authenticating: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var sealed = try random.bytes(bytes.count + ChunkCipher.overhead)
        try sealed.withMutableRawBytes { output throws(CryptographyError) in
            try bytes.withRawBytes { bytes throws(CryptographyError) in
                try header.seal(bytes, into: output, authenticating: authenticating)
            }
        }
        return sealed
    }

    /// Opens a part of the header; nil if it does not open.
    func open(_ sealed: [UInt8], authenticating: [UInt8]) -> [UInt8]? {
        guard sealed.count >= ChunkCipher.overhead else { return nil }
        var bytes = [UInt8](repeating: 0, count: sealed.count - ChunkCipher.overhead)
        do throws(CryptographyError) {
            try bytes.withMutableRawBytes { output throws(CryptographyError) in
                try sealed.withRawBytes { sealed throws(CryptographyError) in
                    try header.open(sealed, into: output, authenticating: authenticating)
                }
            }
        } catch { return nil }
        return bytes
    }

    /// Returns a slot in its form on the disk.
    func image(_ slot: HeaderSlot, _ state: FileState) throws(CryptographyError) -> [UInt8] {
        let plain = Array(slot.plainBytes)
        return plain + (try seal(state.bytes, authenticating: plain))
    }

    /// Opens the sealed part of a slot; nil if it does not open.
    func state(_ image: [UInt8]) -> FileState? {
        let (plain, sealed) = (Array(image[..<640]), Array(image[640...]))
        return open(sealed, authenticating: plain).flatMap { FileState($0) }
    }
}
