import Glibc

/// Looks for bytes in all the memory that this process can write to.
package enum MemoryScan {
    /// Counts where a pattern stands, the pattern itself excepted.
    ///
    /// The list of mappings is read into a buffer too small to get, and lose, a mapping of its own.
    package static func occurrences(of pattern: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for mapping in writableMappings() { count += occurrences(of: pattern, in: mapping) }
        return count
    }

    private static let listByteCount = 96 * 1024

    private static func writableMappings() -> [UnsafeRawBufferPointer] {
        var list = [UInt8](repeating: 0, count: listByteCount)
        let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var filled = 0
        while filled < list.count {
            let got = list.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
            }
            guard got > 0 else { break }
            filled += got
        }
        let text = String(decoding: list[..<filled], as: UTF8.self)
        return text.split(separator: "\n").compactMap(mapping)
    }

    /// `start-end rwxp …`; nil for what cannot be written.
    private static func mapping(_ line: Substring) -> UnsafeRawBufferPointer? {
        let fields = line.split(separator: " ")
        guard fields.count >= 2, fields[1].hasPrefix("rw") else { return nil }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2 else { return nil }
        return UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: bounds[0]),
            count: Int(bounds[1] - bounds[0])
        )
    }

    private static func occurrences(
        of pattern: UnsafeRawBufferPointer,
        in mapping: UnsafeRawBufferPointer
    ) -> Int {
        guard let needle = pattern.baseAddress, let first = pattern.first,
            var from = mapping.baseAddress
        else { return 0 }
        let end = from + mapping.count
        var found = 0
        while let hit = memchr(from, Int32(first), end - from) {
            let place = UnsafeRawPointer(hit)
            guard end - place >= pattern.count else { break }
            if place != needle, memcmp(place, needle, pattern.count) == 0 { found += 1 }
            from = place + 1
        }
        return found
    }
}
