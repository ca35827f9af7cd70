#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension String {
    /// Returns whether a text occurs in this one, byte by byte.
    ///
    /// Rules search whole files, often without a result. The general search compares characters and
    /// takes ten times as long.
    package func contains(_ other: String) -> Bool {
        var text = self
        var part = other
        return text.withUTF8 { bytes in
            part.withUTF8 { needle in
                guard let start = bytes.baseAddress, let wanted = needle.baseAddress else {
                    return needle.isEmpty
                }
                guard !needle.isEmpty else { return true }
                var offset = 0
                while bytes.count - offset >= needle.count {
                    let rest = bytes.count - offset - needle.count + 1
                    guard let found = memchr(start + offset, Int32(needle[0]), rest) else {
                        return false
                    }
                    if memcmp(found, wanted, needle.count) == 0 { return true }
                    offset = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
                }
                return false
            }
        }
    }
}
