public import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A secret in memory that cannot be copied, printed or encoded, and that is wiped at its end.
///
/// ```swift
/// if let key = try vault.secret(.diaryKey) {
///     try key.withUnsafeBytes { bytes in try open(diary, with: bytes) }
/// }  // here its memory is overwritten
/// ```
///
/// The value is `@unchecked Sendable`: nothing writes its memory between `init` and `deinit`, and
/// only one owner runs `deinit`. Its memory is not swapped out where the system permits that.
/// Keychain Services themselves use `Data`. The module overwrites the `Data` that it receives if
/// nothing else holds it, but it cannot promise that for copies that the system made.
public struct Secret: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer

    /// Creates a secret from a copy of the bytes, and overwrites the bytes.
    ///
    /// Copies that other variables hold stay as they are.
    public init(wiping bytes: inout Data) {
        self.init(copying: bytes)
        bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex)
        bytes = Data()
    }

    /// Creates a secret from a copy of the bytes; the bytes themselves stay as they are.
    public init(copying bytes: some ContiguousBytes) {
        memory = bytes.withUnsafeBytes { source in
            let memory = Self.reserve(source.count)
            memory.copyMemory(from: source)
            return memory
        }
    }

    /// Creates a secret from the UTF-8 of a text, which itself stays as it is.
    public init(copying text: String) { self.init(copying: Array(text.utf8)) }

    /// Creates a secret of random bytes.
    ///
    /// - Throws: ``VaultError`` if the system has no randomness.
    public init(randomByteCount count: Int) throws(VaultError) {
        precondition(count > 0, "A random secret has at least one byte.")
        let memory = Self.reserve(count)
        let status = memory.baseAddress.map { SecRandomCopyBytes(kSecRandomDefault, count, $0) }
        guard status == errSecSuccess else {
            Self.release(memory)
            throw VaultError(errSecInternalError, .create, .password, nil)
        }
        self.memory = memory
    }

    deinit { Self.release(memory) }

    /// The number of bytes.
    public var byteCount: Int { memory.count }

    /// Calls code with the bytes, which are valid only during the call.
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// Returns a copy of the bytes in memory that nobody wipes.
    public borrowing func copyBytesUnprotected() -> Data { Data(memory) }

    /// Returns whether both secrets have the same bytes, in a time that depends on their size only.
    public borrowing func matches(_ other: borrowing Secret) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return zip(memory, other.memory).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        if let start = memory.baseAddress, count > 0 { _ = mlock(start, count) }
        return memory
    }

    private static func release(_ memory: UnsafeMutableRawBufferPointer) {
        if let start = memory.baseAddress, memory.count > 0 {
            #if os(Linux)
                explicit_bzero(start, memory.count)
            #else
                _ = memset_s(start, memory.count, 0, memory.count)
            #endif
            _ = munlock(start, memory.count)
        }
        memory.deallocate()
    }
}
