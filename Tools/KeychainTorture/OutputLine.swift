import Glibc

/// A line of output that is written with one call, so that a kill never cuts it.
enum OutputLine {
    /// - Returns: Whether it was written.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array((text + "\n").utf8)
        return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            == bytes.count
    }
}
