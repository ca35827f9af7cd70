import Glibc

/// Bytes of a credential, wiped when nobody holds them any more.
///
/// It prints as its class name only.
final class Credential: Sendable {
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Copies the bytes; the caller's copy is the caller's to wipe.
    init(copying data: Data) {
        bytes = .allocate(byteCount: data.count, alignment: 1)
        data.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    deinit {
        if let address = bytes.baseAddress { explicit_bzero(address, bytes.count) }
        bytes.deallocate()
    }

    /// Lends the bytes.
    func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        // The bytes must outlive the call, also when another thread drops the last reference.
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(bytes)) }
    }
}
