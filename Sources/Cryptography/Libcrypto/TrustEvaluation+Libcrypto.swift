@_implementationOnly import CCrypto

extension TrustEvaluation {
    /// Runs libcrypto's verifier; see `evaluate`.
    ///
    /// - Parameter host: A checked host name or IP address.
    /// - Returns: The result.
    /// - Throws: `backend` if the check itself cannot be performed.
    func verify(host: String?) throws(CryptographyError) -> TrustResult {
        forgetEarlierErrors()
        defer { forgetEarlierErrors() }
        guard let handle = leaf.handle else {
            let failure = TrustFailure(.other("a name in it cannot be read"), depth: 0)
            return TrustResult(chain: [leaf], failure: failure)
        }
        guard purpose != .codeSigning || handle.signsCode else {
            return TrustResult(chain: [leaf], failure: TrustFailure(.wrongPurpose, depth: 0))
        }
        let store = try anchorStore()
        defer { X509_STORE_free(store) }
        let stack = try CertificateStack(intermediates)
        let context = try require(X509_STORE_CTX_new())
        defer { X509_STORE_CTX_free(context) }
        try require(X509_STORE_CTX_init(context, store, handle.pointer, stack.pointer))
        try configure(require(X509_STORE_CTX_get0_param(context)), host: host)
        let isTrusted = withExtendedLifetime(stack) { X509_verify_cert(context) == 1 }
        let chain = chain(in: context)
        guard !isTrusted else { return TrustResult(chain: chain, failure: nil) }
        let code = X509_STORE_CTX_get_error(context)
        let depth = max(0, Int(X509_STORE_CTX_get_error_depth(context)))
        let failure = TrustFailure(TrustFailure.reason(code), depth: depth)
        return TrustResult(chain: chain, failure: failure)
    }

    private func anchorStore() throws(CryptographyError) -> OpaquePointer {
        let store = try require(X509_STORE_new())
        do throws(CryptographyError) {
            for anchor in anchors.compactMap(\.handle) {
                try require(X509_STORE_add_cert(store, anchor.pointer))
            }
            if includesSystemAnchors { try systemAnchors.add(to: store) }
        } catch {
            X509_STORE_free(store)
            throw error
        }
        return store
    }

    private func configure(
        _ parameters: OpaquePointer,
        host: String?
    ) throws(CryptographyError) {
        let (time, isOver) = date.addingReportingOverflow(CertificateHandle.referenceDateOffset)
        X509_VERIFY_PARAM_set_time(parameters, isOver ? time_t.max : time_t(time))
        // An anchor is trusted even if it is not a root.
        try require(
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        )
        if let use = purpose.libcryptoPurpose {
            try require(X509_VERIFY_PARAM_set_purpose(parameters, use))
            X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        }
        guard let host, X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 else { return }
        forgetEarlierErrors()
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        )
        try require(X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count))
    }

    /// Returns the chain as far as it was built, at least the leaf.
    private func chain(in context: OpaquePointer) -> [Certificate] {
        guard let stack = X509_STORE_CTX_get0_chain(context) else { return [leaf] }
        var chain: [Certificate] = []
        for index in 0..<OPENSSL_sk_num(stack) {
            guard
                let pointer = OPENSSL_sk_value(stack, index),
                let der = CertificateHandle.der(of: OpaquePointer(pointer)),
                let certificate = try? Certificate(der: der)
            else { break }
            chain.append(certificate)
        }
        return chain.isEmpty ? [leaf] : chain
    }
}

extension CertificateHandle {
    /// Whether the certificate is for signing code.
    ///
    /// Its extended key usage has to name that use, or any. If it limits the use of its key, that
    /// includes digital signatures.
    /// - Source: RFC 5280 §4.2.1.3 and §4.2.1.12; macOS demands the extension of code's signers.
    fileprivate var signsCode: Bool {
        guard extendedUse & UInt32(XKU_CODE_SIGN | XKU_ANYEKU) != 0 else { return false }
        return X509_get_key_usage(pointer) & UInt32(KU_DIGITAL_SIGNATURE) != 0
    }
}

extension TrustEvaluation.Purpose {
    /// libcrypto's number of the purpose.
    fileprivate var libcryptoPurpose: Int32? {
        switch self {
        case .any, .codeSigning: nil
        case .tlsServer: X509_PURPOSE_SSL_SERVER
        case .tlsClient: X509_PURPOSE_SSL_CLIENT
        }
    }
}

extension TrustFailure {
    /// Translates libcrypto's verification errors.
    fileprivate static func reason(_ code: Int32) -> Reason {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .hostNameMismatch
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED:
            .untrustedRoot
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            .incompleteChain
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE,
            X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH:
            .badSignature
        case X509_V_ERR_INVALID_PURPOSE: .wrongPurpose
        case X509_V_ERR_INVALID_CA, X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_INVALID_NON_CA,
            X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_CERT_CHAIN_TOO_LONG:
            .notAuthority
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION: .nameNotPermitted
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: .weakKey
        case X509_V_ERR_CA_MD_TOO_WEAK: .weakSignature
        default: .other(String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
