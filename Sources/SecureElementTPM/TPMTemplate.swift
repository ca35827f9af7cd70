@_implementationOnly import CTSS

// The public areas of the two keys. The first is the input of a derivation, so it never changes.
// Source: Documentation/Spec/keybag.md §4.2; TPM 2.0 Library, Part 2, §12.2.
extension TPM2B_PUBLIC {
    /// The storage key, which every TPM derives again from its owner seed: ECC, NIST P-256.
    static var storageKey: TPM2B_PUBLIC {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = TPM2_ALG_ID(TPM2_ALG_ECC)
        template.publicArea.nameAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes =
            TPMA_OBJECT(TPMA_OBJECT_FIXEDTPM) | TPMA_OBJECT(TPMA_OBJECT_FIXEDPARENT)
            | TPMA_OBJECT(TPMA_OBJECT_SENSITIVEDATAORIGIN) | TPMA_OBJECT(TPMA_OBJECT_USERWITHAUTH)
            | TPMA_OBJECT(TPMA_OBJECT_NODA) | TPMA_OBJECT(TPMA_OBJECT_RESTRICTED)
            | TPMA_OBJECT(TPMA_OBJECT_DECRYPT)
        var parameters = TPMS_ECC_PARMS()
        parameters.symmetric.algorithm = TPM2_ALG_ID(TPM2_ALG_AES)
        parameters.symmetric.keyBits.aes = 128
        parameters.symmetric.mode.aes = TPM2_ALG_ID(TPM2_ALG_CFB)
        parameters.scheme.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        parameters.curveID = TPM2_ECC_CURVE(TPM2_ECC_NIST_P256)
        parameters.kdf.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        template.publicArea.parameters.eccDetail = parameters
        return template
    }

    /// An HMAC key that the TPM generates.
    ///
    /// It leaves neither the TPM nor its parent key.
    static var hmacKey: TPM2B_PUBLIC {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = TPM2_ALG_ID(TPM2_ALG_KEYEDHASH)
        template.publicArea.nameAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes =
            TPMA_OBJECT(TPMA_OBJECT_FIXEDTPM) | TPMA_OBJECT(TPMA_OBJECT_FIXEDPARENT)
            | TPMA_OBJECT(TPMA_OBJECT_SENSITIVEDATAORIGIN) | TPMA_OBJECT(TPMA_OBJECT_USERWITHAUTH)
            | TPMA_OBJECT(TPMA_OBJECT_NODA) | TPMA_OBJECT(TPMA_OBJECT_SIGN_ENCRYPT)
        var scheme = TPMT_KEYEDHASH_SCHEME()
        scheme.scheme = TPM2_ALG_ID(TPM2_ALG_HMAC)
        scheme.details.hmac.hashAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        template.publicArea.parameters.keyedHashDetail.scheme = scheme
        return template
    }

    /// Whether this describes such an HMAC key, with any unique field.
    var isHMACKey: Bool {
        let own = publicArea
        let wanted = TPM2B_PUBLIC.hmacKey.publicArea
        let scheme = own.parameters.keyedHashDetail.scheme
        return own.type == wanted.type && own.nameAlg == wanted.nameAlg
            && own.objectAttributes == wanted.objectAttributes && own.authPolicy.size == 0
            && scheme.scheme == TPM2_ALG_ID(TPM2_ALG_HMAC)
            && scheme.details.hmac.hashAlg == TPM2_ALG_ID(TPM2_ALG_SHA256)
    }
}
