@_implementationOnly import CCrypto

extension SystemAnchors {
    /// Makes the roots known to a store of libcrypto.
    ///
    /// - Throws: `backend` if they cannot be read.
    func add(to store: OpaquePointer) throws(CryptographyError) {
        guard let file else {
            try require(X509_STORE_set_default_paths(store))
            return
        }
        try require(X509_STORE_load_file(store, file))
    }

    /// Whether an administrator added the root by putting it into one of the directories.
    func isAdded(_ root: Certificate) -> Bool {
        forgetEarlierErrors()
        defer { forgetEarlierErrors() }
        return addedBelow.contains { Self.holds(root, at: "file:\($0)", depth: 4) }
    }

    /// Looks through a file, or a directory and the ones below it.
    private static func holds(_ root: Certificate, at place: String, depth: Int) -> Bool {
        guard depth > 0, let store = OSSL_STORE_open(place, nil, nil, nil, nil) else {
            return false
        }
        defer { OSSL_STORE_close(store) }
        OSSL_STORE_expect(store, OSSL_STORE_INFO_CERT)
        while OSSL_STORE_eof(store) == 0 {
            guard let found = OSSL_STORE_load(store) else { continue }
            defer { OSSL_STORE_INFO_free(found) }
            if let name = OSSL_STORE_INFO_get0_NAME(found) {
                if holds(root, at: String(cString: name), depth: depth - 1) { return true }
            } else if let certificate = OSSL_STORE_INFO_get0_CERT(found) {
                if CertificateHandle.der(of: certificate) == root.der { return true }
            }
        }
        return false
    }
}
