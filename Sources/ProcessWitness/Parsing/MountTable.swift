/// The mounts of `/proc/PID/mountinfo`.
///
/// - Source: proc_pid_mountinfo(5).
struct MountTable: Sendable {
    private struct Mount: Sendable {
        let number: UInt64
        /// The mounted part of the file system.
        let source: String
        let place: String
        let kind: String
    }

    private let mounts: [Mount]

    /// Parses the file, and skips malformed lines.
    init(_ bytes: [UInt8]) {
        mounts = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count >= 9,
                let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }),
                dash >= 6, words.indices.contains(dash + 1),
                let number = UInt64(String(decoding: words[0], as: UTF8.self))
            else { return nil }
            return Mount(
                number: number,
                source: String(decoding: words[3], as: UTF8.self),
                place: String(decoding: words[4], as: UTF8.self),
                kind: String(decoding: words[dash + 1], as: UTF8.self)
            )
        }
    }

    /// Whether the kernel itself stores the files of a mount.
    ///
    /// A program that serves a file system (FUSE) can show other content at every read, or never
    /// reply. So nothing is read there. Returns false for a mount that is not in the table.
    func isKeptByKernel(_ mount: UInt64) -> Bool {
        guard let mount = mounts.first(where: { $0.number == mount }) else { return false }
        return !mount.kind.hasPrefix("fuse")
    }

    /// Returns the source of the topmost mount at a path; nil if there is none.
    func source(ofLastMountAt place: String) -> String? {
        mounts.last { $0.place == place }?.source
    }
}
