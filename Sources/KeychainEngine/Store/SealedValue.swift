/// A value that is found by its primary key, where SQLite has it: until the next step.
struct SealedValue {
    let row: RowName<UnsafeRawBufferPointer>
    let metadataVersion: UInt8
    let sealed: UnsafeRawBufferPointer
}
