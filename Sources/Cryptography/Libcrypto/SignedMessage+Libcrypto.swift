@_implementationOnly import CCrypto

extension SignedMessage {
    /// Reads a message; see `init`.
    static func read(_ der: [UInt8], _ detached: [UInt8]?) throws(Failure) -> SignedMessage {
        forgetEarlierErrors()
        defer { forgetEarlierErrors() }
        guard der.count <= Int32.max, (detached?.count ?? 0) <= Int32.max else {
            throw .unreadable
        }
        let input = try wrapping { () throws(CryptographyError) in
            try require(BIO_new_mem_buf(der, Int32(der.count)))
        }
        defer { BIO_free(input) }
        guard let message = d2i_CMS_bio(input, nil) else { throw .unreadable }
        defer { CMS_ContentInfo_free(message) }
        switch OBJ_obj2nid(CMS_get0_type(message)) {
        case NID_pkcs7_signed: return try signed(message, detached)
        case NID_pkcs7_data:
            let content = try output(.unreadable) { CMS_data(message, $0, UInt32(CMS_BINARY)) }
            return SignedMessage(content: content, signers: [], certificates: [])
        case NID_pkcs7_enveloped, NID_pkcs7_encrypted, NID_id_smime_ct_authEnvelopedData:
            throw .encrypted
        default: throw .unreadable
        }
    }

    private static func signed(
        _ message: OpaquePointer,
        _ detached: [UInt8]?
    ) throws(Failure) -> SignedMessage {
        guard CMS_is_detached(message) == 0 || detached != nil else { throw .detached }
        var content: OpaquePointer?
        if let detached {
            content = try wrapping { () throws(CryptographyError) in
                try require(BIO_new_mem_buf(detached, Int32(detached.count)))
            }
        }
        defer { BIO_free(content) }
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        let bytes = try output(.wrongSignature) {
            CMS_verify(message, nil, nil, content, $0, flags)
        }
        let signers = CMS_get0_signers(message)
        // The message owns the certificates, but not the stack.
        defer { OPENSSL_sk_free(signers) }
        let all = CMS_get1_certs(message)
        defer {
            for index in 0..<OPENSSL_sk_num(all) {
                if let certificate = OPENSSL_sk_value(all, index) {
                    X509_free(OpaquePointer(certificate))
                }
            }
            OPENSSL_sk_free(all)
        }
        let names = certificates(in: signers)
        // Without a signer, nothing was verified.
        guard !names.isEmpty else { throw .wrongSignature }
        return SignedMessage(content: bytes, signers: names, certificates: certificates(in: all))
    }

    /// Returns the output of a function; throws `failure` if it does not return 1.
    private static func output(
        _ failure: Failure,
        _ write: (OpaquePointer) -> Int32
    ) throws(Failure) -> [UInt8] {
        let memory = try wrapping { () throws(CryptographyError) in
            try require(BIO_new(BIO_s_mem()))
        }
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { throw failure }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = BIO_read(memory, &part, Int32(part.count))
            guard count > 0 else { return bytes }
            bytes += part.prefix(Int(count))
        }
    }

    private static func certificates(in stack: OpaquePointer?) -> [Certificate] {
        guard let stack else { return [] }
        return (0..<OPENSSL_sk_num(stack)).compactMap { index in
            guard let pointer = OPENSSL_sk_value(stack, index),
                let der = CertificateHandle.der(of: OpaquePointer(pointer))
            else { return nil }
            return try? Certificate(der: der)
        }
    }

    private static func wrapping(
        _ body: () throws(CryptographyError) -> OpaquePointer
    ) throws(Failure) -> OpaquePointer {
        do throws(CryptographyError) { return try body() } catch {
            if case .backend(let text) = error { throw .backend(text) }
            throw .backend("libcrypto gave no reason")
        }
    }
}
