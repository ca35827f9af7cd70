import KeychainModel

/// A value that is found by its primary key, where SQLite has it: until the next step.
struct SealedValue {
    /// The version of the sealed bytes, their first byte.
    static let version: UInt8 = 3

    let protection: ProtectionClass
    /// What the seal names: see `RowName`.
    let associatedData: [UInt8]
    let metadataVersion: UInt8
    let sealed: UnsafeRawBufferPointer
}
