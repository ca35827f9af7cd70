import Glibc

/// Overwrites a value that holds what follows from a key; it consists of plain bytes.
func overwrite<Value: BitwiseCopyable>(_ value: inout Value) {
    withUnsafeMutableBytes(of: &value) { overwrite($0) }
}

/// Overwrites memory that holds a key or a message.
func overwrite(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let address = bytes.baseAddress else { return }
    explicit_bzero(address, bytes.count)
}
