import Glibc

/// Access to small files and directories.
enum SmallFile {
    /// Returns the bytes of a file, even one of the kernel, which has no size.
    ///
    /// It is nil if the file cannot be read. A longer file is read slightly beyond the limit, and
    /// the rest is omitted.
    static func bytes(at path: String, limit: Int = 1 << 20) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count <= limit {
            let count = read(file, &page, page.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += page[..<count]
        }
        return bytes
    }

    /// Returns the names in a directory, unsorted; an empty array if it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns the target of a symbolic link; nil if it cannot be read.
    static func target(of link: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &path, path.count)
        guard count > 0 else { return nil }
        return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
