import Glibc

/// Overwrites a value of plain bytes that is derived from a key.
func overwrite<Value: BitwiseCopyable>(_ value: inout Value) {
    withUnsafeMutableBytes(of: &value) { overwrite($0) }
}

/// Overwrites memory that holds a key or a message.
func overwrite(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let address = bytes.baseAddress else { return }
    explicit_bzero(address, bytes.count)
}
