import Glibc
import KeychainSockets

/// A file with lines `name = value` that registers a program or a library.
struct DoorDescription: Sendable, Hashable {
    let path: String
    private let entries: [String: String]

    private static let byteCountLimit = 64 << 10

    /// Reads a file of at most 64 KiB; returns nil for a larger one, and for anything but a file.
    ///
    /// A pipe would wait for a writer, and a device may never end.
    init?(path: String) {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= Self.byteCountLimit
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.byteCountLimit)
        let count = read(file.number, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        self.init(path: path, text: String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// Parses the lines of a description: D-Bus writes `Name=`, p11-kit writes `module:`.
    init(path: String, text: String) {
        self.path = path
        var entries: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let sign = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else { continue }
            let name = line[..<sign].trimming()
            if entries[name] == nil { entries[name] = line[line.index(after: sign)...].trimming() }
        }
        self.entries = entries
    }

    subscript(name: String) -> String? { entries[name] }

    /// Returns the descriptions in several directories, in the order of the directories.
    static func all(in directories: [String], ending: String) -> [DoorDescription] {
        directories.flatMap { directory in
            SmallFile.names(in: directory).sorted().filter { $0.hasSuffix(ending) }
                .compactMap { DoorDescription(path: "\(directory)/\($0)") }
        }
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
