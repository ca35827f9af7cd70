@_implementationOnly import CCrypto

/// A list of certificates in libcrypto's form, as far as they have one; it borrows them.
final class CertificateStack {
    /// The libcrypto object, owned by this one.
    let pointer: OpaquePointer

    private let certificates: [Certificate]

    /// Lists certificates, which stay alive as long as the list.
    ///
    /// - Throws: `backend` when memory is short.
    init(_ certificates: [Certificate]) throws(CryptographyError) {
        self.certificates = certificates
        pointer = try require(OPENSSL_sk_new_reserve(nil, Int32(clamping: certificates.count)))
        for handle in certificates.compactMap(\.handle) {
            OPENSSL_sk_push(pointer, UnsafeRawPointer(handle.pointer))
        }
    }

    deinit {
        OPENSSL_sk_free(pointer)
    }
}
