import Glibc
import KeychainSockets

@_implementationOnly import CWitness

/// The directory of one process in `/proc`.
///
/// The open directory belongs to that process, and never to a later one with the same number. After
/// the process has ended, every read fails.
struct ProcessDirectory: ~Copyable {
    let processID: Int32
    private let directory: Descriptor

    /// Opens the directory of a pidfd's process.
    ///
    /// - Throws: `EvidenceError.ended` if the process has ended, or is invisible to this one.
    init(of process: Int32) throws(EvidenceError) {
        guard let number = Self.number(of: process), number > 0,
            let directory = Descriptor(
                opened: open("/proc/\(number)", Descriptor.pathOnly | O_DIRECTORY | O_CLOEXEC)
            )
        else { throw .ended }
        // If the process is alive now, the number meant no other process at the time of opening.
        try Self.requireLife(of: process)
        self.processID = number
        self.directory = directory
    }

    /// Throws if the process of a pidfd has ended.
    static func requireLife(of process: Int32) throws(EvidenceError) {
        switch witness_is_alive(process) {
        case 1: return
        case 0: throw .ended
        default: throw .refused(operation: "pidfd_send_signal", code: errno)
        }
    }

    /// Returns the number of a pidfd's process in `/proc`; nil if it has none.
    private static func number(of process: Int32) -> Int32? {
        guard
            let file = Descriptor(
                opened: open("/proc/self/fdinfo/\(process)", O_RDONLY | O_CLOEXEC)
            ),
            let bytes = try? bytes(of: file, limit: 4096)
        else { return nil }
        return ProcessStatus.field("Pid", in: bytes).flatMap { Int32($0) }
    }

    // MARK: Files

    /// Reads a file of the directory.
    ///
    /// - Returns: The whole file; nil if it exceeds the limit.
    /// - Throws: `EvidenceError.refused` with the number of the error.
    func read(_ name: String, limit: Int) throws(EvidenceError) -> [UInt8]? {
        guard let file = Descriptor(opened: openat(directory.number, name, O_RDONLY | O_CLOEXEC))
        else {
            throw Self.refusal("open \(name)")
        }
        return try Self.bytes(of: file, limit: limit)
    }

    /// Reads to the end of a file; nil if it exceeds the limit.
    static func bytes(
        of file: borrowing Descriptor,
        limit: Int
    ) throws(EvidenceError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: Swift.min(limit + 1, 1 << 16))
        while bytes.count <= limit {
            let count = Glibc.read(file.number, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw refusal("read") }
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
        return nil
    }

    /// Returns the target of a link in the directory; nil if it is unreadable.
    func link(_ name: String) -> [UInt8]? {
        var path = [UInt8](repeating: 0, count: Self.pathLimit + 1)
        let count = path.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                $0.baseAddress.map { readlinkat(directory.number, name, $0, buffer.count) } ?? -1
            }
        }
        guard count > 0, count <= Self.pathLimit else { return nil }
        return [UInt8](path[..<count])
    }

    private static let pathLimit = 4096 + 16

    /// Opens a file of the directory, or the target of a link, without the right to read it.
    func opened(_ name: String, _ flags: Int32 = 0) -> Descriptor? {
        Descriptor(opened: openat(directory.number, name, Descriptor.pathOnly | O_CLOEXEC | flags))
    }

    /// Returns the numbers of the process's threads, up to the limit.
    func threads(limit: Int) -> [String] {
        guard
            let folder = Descriptor(
                opened: openat(directory.number, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            ), let stream = fdopendir(folder.release())
        else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.first?.isNumber == true { names.append(name) }
        }
        return names
    }

    private static func refusal(_ operation: String) -> EvidenceError {
        let code = errno
        return code == ESRCH || code == ENOENT ? .ended : .refused(operation: operation, code: code)
    }
}
