@_implementationOnly import CCrypto

/// A reader of the bags of a PKCS#12 file (RFC 7292 §4.2).
struct SafeBagReader {
    /// The password of the shrouded keys.
    let password: PKCS12Password

    /// The error to report if a key does not open.
    let whenUnopened: PKCS12Error

    /// The keys and certificates found so far.
    private(set) var contents = PKCS12Contents()

    /// The number of password hashes that are left for this file.
    private var budget = PasswordIterations.Budget()

    /// Creates a reader that has found nothing yet.
    init(password: PKCS12Password, whenUnopened: PKCS12Error) {
        self.password = password
        self.whenUnopened = whenUnopened
    }

    /// Reads bags; skips those that contain neither keys nor certificates.
    ///
    /// - Parameters:
    ///   - bags: Pointers to libcrypto's bags.
    ///   - depthLimit: The number of further levels of nested bags to follow.
    /// - Throws: `PKCS12Error`.
    mutating func read(
        _ bags: [UnsafeMutableRawPointer],
        depthLimit: Int
    ) throws(PKCS12Error) {
        guard depthLimit > 0 else { throw .unsupported("depth of nesting") }
        for element in bags {
            let bag = OpaquePointer(element)
            switch PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag: try readKey(bag)
            case NID_pkcs8ShroudedKeyBag: try readShroudedKey(bag)
            case NID_certBag: try readCertificate(bag)
            case NID_safeContentsBag:
                guard let inner = PKCS12_SAFEBAG_get0_safes(bag) else { throw .damaged }
                let count = max(0, OPENSSL_sk_num(inner))
                let innerBags = (0..<count).compactMap { OPENSSL_sk_value(inner, $0) }
                try read(innerBags, depthLimit: depthLimit - 1)
            default: continue
            }
        }
    }

    /// Throws for password-based encryption that would take hours to open.
    ///
    /// - Returns: The number of times that the password will be hashed.
    /// - Throws: `unsupported`.
    @discardableResult
    static func checkIterations(
        _ algorithm: UnsafePointer<X509_ALGOR>
    ) throws(PKCS12Error) -> Int {
        guard let der = encodedDER({ i2d_X509_ALGOR(algorithm, $0) }),
            let count = PasswordIterations.count(in: der)
        else {
            throw .unsupported("number of iterations")
        }
        return count
    }

    /// Throws for a decryption with which the whole file would take too long to open.
    ///
    /// - Throws: `unsupported`.
    mutating func spendIterations(
        on algorithm: UnsafePointer<X509_ALGOR>
    ) throws(PKCS12Error) {
        let count = try Self.checkIterations(algorithm)
        guard budget.spend(count) else { throw .unsupported("number of iterations") }
    }

    private mutating func readKey(_ bag: OpaquePointer) throws(PKCS12Error) {
        guard let key = PKCS12_SAFEBAG_get0_p8inf(bag) else { throw .damaged }
        try append(key, of: bag)
    }

    private mutating func readShroudedKey(_ bag: OpaquePointer) throws(PKCS12Error) {
        guard let shrouded = PKCS12_SAFEBAG_get0_pkcs8(bag) else { throw .damaged }
        var algorithm: UnsafePointer<X509_ALGOR>?
        var ciphertext: UnsafePointer<ASN1_OCTET_STRING>?
        X509_SIG_get0(shrouded, &algorithm, &ciphertext)
        guard let algorithm, ciphertext != nil else { throw .damaged }
        try spendIterations(on: algorithm)
        let key = PKCS12_decrypt_skey_ex(
            bag,
            password.pointer,
            password.byteCount,
            LegacyLibrary.shared.pointer,
            nil
        )
        guard let key else { throw .takeLibcryptoFailure(or: whenUnopened) }
        defer { PKCS8_PRIV_KEY_INFO_free(key) }
        try append(key, of: bag)
    }

    private mutating func append(
        _ info: OpaquePointer,
        of bag: OpaquePointer
    ) throws(PKCS12Error) {
        let entry = PKCS12Archive.KeyEntry(
            privateKey: try PrivateKeyInfo.privateKey(info),
            localKeyID: Self.localKeyID(of: bag),
            friendlyName: Self.friendlyName(of: bag)
        )
        contents.keys.append(entry)
    }

    private mutating func readCertificate(_ bag: OpaquePointer) throws(PKCS12Error) {
        guard PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate else { return }
        guard let pointer = PKCS12_SAFEBAG_get1_cert(bag) else { throw .damaged }
        defer { X509_free(pointer) }
        guard let der = CertificateHandle.der(of: pointer) else { throw .damaged }
        let certificate: Certificate
        do throws(CryptographyError) {
            certificate = try Certificate(der: der)
        } catch {
            throw .damaged
        }
        let entry = PKCS12Archive.CertificateEntry(
            certificate: certificate,
            localKeyID: Self.localKeyID(of: bag),
            friendlyName: Self.friendlyName(of: bag)
        )
        contents.certificates.append(entry)
    }

    private static func localKeyID(of bag: OpaquePointer) -> [UInt8]? {
        guard
            let attribute = PKCS12_SAFEBAG_get0_attr(bag, NID_localKeyID),
            attribute.pointee.type == V_ASN1_OCTET_STRING,
            let string = attribute.pointee.value.octet_string,
            let bytes = ASN1_STRING_get0_data(string)
        else { return nil }
        let byteCount = Int(ASN1_STRING_length(string))
        return [UInt8](UnsafeBufferPointer(start: bytes, count: byteCount))
    }

    private static func friendlyName(of bag: OpaquePointer) -> String? {
        guard let name = PKCS12_get_friendlyname(bag) else { return nil }
        defer { CRYPTO_free(name, nil, 0) }
        return String(validatingCString: name)
    }
}
