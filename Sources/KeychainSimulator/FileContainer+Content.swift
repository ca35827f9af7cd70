import ProtectedFiles

// Access to the whole content at once, because simulated files are small.
extension FileContainer {
    /// Returns the whole content.
    package func allContent() throws(FileFailure) -> [UInt8] {
        var content = [UInt8](repeating: 0, count: byteCount)
        var span = content.mutableSpan
        _ = try span.withUnsafeMutableBytes { buffer throws(FileFailure) in
            try read(into: buffer, at: 0)
        }
        return content
    }

    /// Replaces the content durably.
    package func replaceContent(_ content: [UInt8]) throws(FileFailure) {
        try truncate(to: 0)
        try content.span.withUnsafeBytes { bytes throws(FileFailure) in try write(bytes, at: 0) }
        try flush()
    }
}
