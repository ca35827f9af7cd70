import Glibc

/// What file systems are mounted, by proc_pid_mountinfo(5).
enum MountTable {
    /// The type of the file system that a path is on, such as `tmpfs`; nil if it cannot be told.
    static func fileSystemType(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0,
            let table = contents(of: "/proc/self/mountinfo")
        else { return nil }
        let device = deviceName(UInt64(status.st_dev))
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == device,
                let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }

    /// All of a file of the kernel, which states no size and may give out a page at a time.
    private static func contents(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(file, &page, page.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += page[..<count]
        }
    }

    /// `major:minor`, put together as makedev(3) splits them.
    private static func deviceName(_ device: UInt64) -> String {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        return "\(major):\(minor)"
    }
}
