@_implementationOnly import CCrypto

/// A separate libcrypto context that also has the outdated ciphers of old PKCS#12 files.
///
/// The rest of the process keeps a libcrypto without them. `@unchecked Sendable` is sound because a
/// library context guards itself with its own locks and this one is never changed or freed.
struct LegacyLibrary: @unchecked Sendable {
    /// The one context, made at first use.
    static let shared = LegacyLibrary()

    /// The libcrypto object; `nil` when memory was short.
    let pointer: OpaquePointer?

    private init() {
        pointer = OSSL_LIB_CTX_new()
        guard let pointer else { return }
        // Without the outdated ciphers, new files can still be read.
        _ = OSSL_PROVIDER_load(pointer, "default")
        _ = OSSL_PROVIDER_load(pointer, "legacy")
        forgetEarlierErrors()
    }
}
