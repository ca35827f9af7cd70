import KeychainModel

/// A value found by its primary key, in SQLite's memory: valid until the statement's next step.
struct SealedValue {
    /// The version of the sealed bytes, which is their first byte.
    static let version: UInt8 = 3

    let protection: ProtectionClass
    /// The associated data of the seal; see `RowName`.
    let associatedData: [UInt8]
    let metadataVersion: UInt8
    let sealed: UnsafeRawBufferPointer
}
