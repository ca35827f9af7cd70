import Secrets

@_implementationOnly import CCrypto

extension PKCS12Writer {
    /// Encrypts, authenticates and encodes the archive.
    ///
    /// - Throws: `backend`.
    func write(_ password: borrowing Secret) throws(PKCS12Error) -> [UInt8] {
        forgetEarlierErrors()
        return try PKCS12Password.withForms(of: password) { forms throws(PKCS12Error) in
            do throws(CryptographyError) {
                return try write(forms[0])
            } catch {
                throw .backend("\(error)")
            }
        }
    }

    private func write(_ password: PKCS12Password) throws(CryptographyError) -> [UInt8] {
        let safes = try OwnedStack.empty(freeElement: ccrypto_free_pkcs7)
        if !archive.certificates.isEmpty {
            try safes.append(certificateSafe(password))
        }
        if !archive.keys.isEmpty {
            try safes.append(keySafe(password))
        }
        let file = try require(PKCS12_add_safes(safes.pointer, 0))
        defer { PKCS12_free(file) }
        try require(
            PKCS12_set_mac(
                file,
                password.pointer,
                password.byteCount,
                nil,
                Int32(Self.saltByteCount),
                Self.iterationCount,
                HashAlgorithm.sha256.pointer()
            )
        )
        return try encoded(file)
    }

    private func certificateSafe(
        _ password: PKCS12Password
    ) throws(CryptographyError) -> UnsafeMutableRawPointer {
        let bags = try OwnedStack.empty(freeElement: ccrypto_free_safe_bag)
        for entry in archive.certificates {
            guard let handle = entry.certificate.handle else {
                throw .invalidInput("a certificate has a name that no file of this kind can carry")
            }
            let bag = try require(PKCS12_SAFEBAG_create_cert(handle.pointer))
            try bags.append(UnsafeMutableRawPointer(bag))
            try describe(bag, entry.localKeyID, entry.friendlyName)
        }
        let safe = PKCS12_pack_p7encdata(
            NID_aes_256_cbc,
            password.pointer,
            password.byteCount,
            nil,
            Int32(Self.saltByteCount),
            Self.iterationCount,
            bags.pointer
        )
        guard let safe else { throw .backend("libcrypto packed no certificates") }
        return UnsafeMutableRawPointer(safe)
    }

    private func keySafe(
        _ password: PKCS12Password
    ) throws(CryptographyError) -> UnsafeMutableRawPointer {
        let bags = try OwnedStack.empty(freeElement: ccrypto_free_safe_bag)
        for entry in archive.keys {
            let bag = try shroudedBag(entry.privateKey, password)
            try bags.append(UnsafeMutableRawPointer(bag))
            try describe(bag, entry.localKeyID, entry.friendlyName)
        }
        guard let safe = PKCS12_pack_p7data(bags.pointer) else {
            throw .backend("libcrypto packed no keys")
        }
        return UnsafeMutableRawPointer(safe)
    }

    private func shroudedBag(
        _ privateKey: PrivateKey,
        _ password: PKCS12Password
    ) throws(CryptographyError) -> OpaquePointer {
        let info = try PrivateKeyInfo.pointer(to: privateKey)
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return try require(
            PKCS12_SAFEBAG_create_pkcs8_encrypt(
                NID_aes_256_cbc,
                password.pointer,
                password.byteCount,
                nil,
                Int32(Self.saltByteCount),
                Self.iterationCount,
                info
            )
        )
    }

    private func describe(
        _ bag: OpaquePointer,
        _ localKeyID: [UInt8]?,
        _ friendlyName: String?
    ) throws(CryptographyError) {
        if var identifier = localKeyID {
            let byteCount = Int32(clamping: identifier.count)
            try require(PKCS12_add_localkeyid(bag, &identifier, byteCount))
        }
        if let friendlyName {
            let byteCount = Int32(clamping: friendlyName.utf8.count)
            try require(PKCS12_add_friendlyname_utf8(bag, friendlyName, byteCount))
        }
    }

    private func encoded(_ file: OpaquePointer) throws(CryptographyError) -> [UInt8] {
        guard let der = encodedDER({ i2d_PKCS12(file, $0) }) else {
            throw .backend("file that cannot be encoded")
        }
        return der
    }
}
