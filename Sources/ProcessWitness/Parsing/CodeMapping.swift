/// A file that a process has mapped as code, by a line of `/proc/PID/maps`.
///
/// - Source: proc_pid_maps(5).
struct CodeMapping: Sendable, Hashable {
    /// The device by the file system; `stat` reports another one on Btrfs and overlays.
    let device: UInt64
    let inode: UInt64
    /// The path as the kernel writes it: a line break is `\012`, and a deleted file ends with `
    /// (deleted)`.
    let path: [UInt8]

    /// Whether the written path may mean another one.
    var isAmbiguous: Bool {
        !path.starts(with: [UInt8(ascii: "/")]) || path.contains(UInt8(ascii: "\\"))
            || path.count > 4096
    }

    /// Whether the major number of the device is 0, which no disk has.
    var isOnVirtualDevice: Bool { device >> 8 & 0xFFF == 0 && device >> 32 == 0 }

    /// Returns all different mappings of a process, in order; nil if there are more than the limit.
    ///
    /// Memory without a file, such as that of just-in-time compilers, is not included.
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

    /// Parses `start-end rwxp offset major:minor inode   path`; nil unless it is code of a file.
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
