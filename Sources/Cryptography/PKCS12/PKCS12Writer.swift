/// A writer of a PKCS#12 file.
struct PKCS12Writer {
    /// The number of hashes of the password for each key, for the certificates and for the MAC.
    static let iterationCount: Int32 = 100_000

    /// The size of each salt in bytes.
    static let saltByteCount = 16

    /// The archive to write.
    let archive: PKCS12Archive
}
