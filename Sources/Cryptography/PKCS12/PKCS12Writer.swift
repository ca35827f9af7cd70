/// Writes a PKCS#12 file.
struct PKCS12Writer {
    /// How often the password is hashed, for each key, for the certificates and for the MAC.
    static let iterationCount: Int32 = 100_000

    /// The size of each salt in bytes.
    static let saltByteCount = 16

    /// What to write.
    let archive: PKCS12Archive
}
