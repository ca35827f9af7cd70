/// A file that a process has mapped as code, from a line of `/proc/PID/maps`.
///
/// - Source: proc_pid_maps(5).
struct CodeMapping: Sendable, Hashable {
    /// The device number of the file system; `stat` reports another one on Btrfs and overlays.
    let device: UInt64
    let inode: UInt64
    /// The path from the kernel: a line break is `\012`, and a deleted file ends with ` (deleted)`.
    let path: [UInt8]

    /// Whether the path has a form that may mean another path.
    var isAmbiguous: Bool {
        !path.starts(with: [UInt8(ascii: "/")]) || path.contains(UInt8(ascii: "\\"))
            || path.count > 4096
    }

    /// Whether the major device number is 0, which no disk has.
    var isOnVirtualDevice: Bool { device >> 8 & 0xFFF == 0 && device >> 32 == 0 }

    /// Returns the distinct mappings of a process in order; nil if there are more than the limit.
    ///
    /// Omits memory without a file, such as that of just-in-time compilers.
    static func all(in bytes: [UInt8], limit: Int) -> [CodeMapping]? {
        var known = Set<CodeMapping>()
        var mappings: [CodeMapping] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let mapping = CodeMapping(line: line) else { continue }
            guard known.insert(mapping).inserted else { continue }
            mappings.append(mapping)
            guard mappings.count <= limit else { return nil }
        }
        return mappings
    }

    /// Parses `start-end rwxp offset major:minor inode   path`; nil unless it is code from a file.
    private init?(line: ArraySlice<UInt8>) {
        let blank = UInt8(ascii: " ")
        var rest = line
        var words: [ArraySlice<UInt8>] = []
        while words.count < 5 {
            rest = rest.drop { $0 == blank }
            let word = rest.prefix { $0 != blank }
            guard !word.isEmpty else { return nil }
            words.append(word)
            rest = rest.dropFirst(word.count)
        }
        let numbers = words[3].split(separator: UInt8(ascii: ":"))
        guard words[1].dropFirst(2).first == UInt8(ascii: "x"), numbers.count == 2,
            let major = UInt64(String(decoding: numbers[0], as: UTF8.self), radix: 16),
            let minor = UInt64(String(decoding: numbers[1], as: UTF8.self), radix: 16),
            let inode = UInt64(String(decoding: words[4], as: UTF8.self)), inode != 0,
            major < 1 << 12, minor < 1 << 20
        else { return nil }
        device = minor & 0xFF | major << 8 | (minor & ~0xFF) << 12
        self.inode = inode
        path = [UInt8](rest.drop { $0 == blank })
    }
}
