@_implementationOnly import CCrypto

extension CertificateHandle {
    /// The bits of the extended key usage that libcrypto knows; none without the extension.
    var extendedUse: UInt32 {
        let use = X509_get_extended_key_usage(pointer)
        // Without the extension, libcrypto answers with all bits.
        return use == UInt32.max ? 0 : use
    }

    /// Whether the extended key usage names TLS servers; "any" use is not enough.
    var namesServerUse: Bool { extendedUse & UInt32(XKU_SSL_SERVER) != 0 }

    /// Whether the key is of a known kind and smaller than a TLS server's may be.
    var hasSmallKey: Bool {
        guard let key = X509_get0_pubkey(pointer) else { return false }
        return switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA: EVP_PKEY_get_bits(key) < 2_048
        case EVP_PKEY_EC: EVP_PKEY_get_bits(key) < 256
        default: false
        }
    }
}
