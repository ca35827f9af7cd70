public import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A secret in memory that cannot be copied, printed or encoded, and is wiped when its life ends.
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
    /// Memory of whole pages: a page that two secrets share would be unlocked at the end of one.
    private let pages: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    public let byteCount: Int

    private var memory: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: pages[..<byteCount])
    }

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
        (pages, byteCount) = bytes.withUnsafeBytes { source in
            let pages = Self.reserve(source.count)
            pages.copyMemory(from: source)
            return (pages, source.count)
        }
    }

    /// Creates a secret from the UTF-8 of a text, which itself stays as it is.
    public init(copying text: String) {
        var text = text
        (pages, byteCount) = text.withUTF8 { source in
            let pages = Self.reserve(source.count)
            pages.copyMemory(from: UnsafeRawBufferPointer(source))
            return (pages, source.count)
        }
    }

    /// Creates a secret of random bytes.
    ///
    /// - Throws: ``VaultError`` if the system has no randomness.
    public init(randomByteCount count: Int) throws(VaultError) {
        precondition(count > 0, "A random secret has at least one byte.")
        let pages = Self.reserve(count)
        let status = pages.baseAddress.map { SecRandomCopyBytes(kSecRandomDefault, count, $0) }
        guard status == errSecSuccess else {
            Self.release(pages)
            throw VaultError(errSecInternalError, .create, .password, nil)
        }
        self.pages = pages
        byteCount = count
    }

    deinit { Self.release(pages) }

    /// Calls code with the bytes, which are valid only during the call.
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }

    /// Returns a copy of the bytes in memory that is not wiped.
    public borrowing func copyBytesUnprotected() -> Data { Data(memory) }

    /// Returns whether both secrets have the same bytes, in a time that depends only on their size.
    public borrowing func matches(_ other: borrowing Secret) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return zip(memory, other.memory).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let page = Int(getpagesize())
        let size = (max(count, 1) + page - 1) / page * page
        let pages = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: page)
        if let start = pages.baseAddress { _ = mlock(start, size) }
        return pages
    }

    private static func release(_ pages: UnsafeMutableRawBufferPointer) {
        if let start = pages.baseAddress {
            #if os(Linux)
                explicit_bzero(start, pages.count)
            #else
                _ = memset_s(start, pages.count, 0, pages.count)
            #endif
            _ = munlock(start, pages.count)
        }
        pages.deallocate()
    }
}
