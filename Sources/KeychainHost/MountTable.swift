import Glibc

/// The mounted file systems, by proc_pid_mountinfo(5).
enum MountTable {
    /// Returns the type of a path's file system, such as `tmpfs`; nil if it is unknown.
    static func fileSystemType(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0,
            let table = SmallFile.bytes(at: "/proc/self/mountinfo", limit: .max)
        else { return nil }
        let device = deviceName(UInt64(status.st_dev))
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == device,
                let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }

    /// Returns `major:minor`, as makedev(3) encodes them.
    private static func deviceName(_ device: UInt64) -> String {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        return "\(major):\(minor)"
    }
}
