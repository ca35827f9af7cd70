import Cryptography
import Glibc
import KeychainMessages
import KeychainModel
import ProtectedFiles
import Secrets

/// `keychain-file-speed DIRECTORY MEGABYTES`: the speed of protected files, and the fastest
/// possible one.
///
/// Scripts/files-speed.sh compares them with other programs.
struct FileSpeed {
    private static let blockByteCount = 1 << 20

    private let directory: String
    private let megabytes: Int
    private var path: String { directory + "/keychain-file-speed" }

    init(_ arguments: [String]) {
        directory = arguments.count > 1 ? arguments[1] : "/tmp"
        megabytes = arguments.count > 2 ? Int(arguments[2]) ?? 256 : 256
    }

    /// - Returns: The exit status of the process.
    func run() -> Int32 {
        defer {
            unlink(path)
            unlink(path + ".plain")
        }
        do {
            try sealAlone()
            try plain()
            try protected()
            try openings()
            return 0
        } catch {
            print("keychain-file-speed: \(error)")
            return 1
        }
    }

    /// Measures AES-256-GCM of libcrypto with one thread and pieces of 64 KiB in the processor's
    /// cache.
    private func sealAlone() throws {
        let cipher = try ChunkCipher(key: try SystemRandomSource().secret(32))
        let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
        plaintext.initializeMemory(as: UInt8.self, repeating: 7)
        let sealed = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 1 << 16 + ChunkCipher.overhead,
            alignment: 64
        )
        sealed.initializeMemory(as: UInt8.self, repeating: 0)
        try measure("AES-256-GCM, sealing in memory") {
            for _ in 0..<megabytes * 16 {
                try cipher.seal(UnsafeRawBufferPointer(plaintext), into: sealed, authenticating: [])
            }
        }
        try measure("AES-256-GCM, opening in memory") {
            for _ in 0..<megabytes * 16 {
                try cipher.open(UnsafeRawBufferPointer(sealed), into: plaintext, authenticating: [])
            }
        }
    }

    private func plain() throws {
        let block = [UInt8](repeating: 7, count: Self.blockByteCount)
        let file = open(path + ".plain", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        measure("plain file, writing") {
            for number in 0..<megabytes { _ = pwrite(file, block, block.count, number << 20) }
        }
        measure("plain file, writing again") {
            for number in 0..<megabytes { _ = pwrite(file, block, block.count, number << 20) }
        }
        measure("plain file, fdatasync") { fdatasync(file) }
        var buffer = block
        measure("plain file, reading") {
            for number in 0..<megabytes { _ = pread(file, &buffer, buffer.count, number << 20) }
        }
    }

    /// Writes a new file in pieces of the given number of megabytes.
    private func write(_ piece: Int) throws {
        let block = [UInt8](repeating: 7, count: piece << 20)
        let new = try NewFile(path, .complete, Self.source)
        let count = max(1, megabytes / piece)
        try measure("protected file, writing, pieces of \(piece) MiB", count * piece) {
            try block.withUnsafeBytes { bytes in
                for number in 0..<count {
                    try new.container.write(bytes, at: number * bytes.count)
                }
            }
        }
        try measure("protected file, making durable") { try new.publish(replacing: true) }
        try new.container.close()
    }

    private func protected() throws {
        try write(4)
        try write(1)
        let block = [UInt8](repeating: 7, count: Self.blockByteCount)
        let file = try FileContainer.open(path, isWritable: false, Self.source)
        var buffer = block
        try measure("protected file, reading") {
            try buffer.withUnsafeMutableBytes { bytes in
                for number in 0..<megabytes { _ = try file.read(into: bytes, at: number << 20) }
            }
        }
        try file.close()
        let again = try FileContainer.open(path, isWritable: true, Self.source)
        let part = max(1, megabytes / 4)
        try measure("protected file, overwriting a quarter, durable", part) {
            try block.withUnsafeBytes { bytes in
                for number in 0..<part { try again.write(bytes, at: number << 20) }
            }
            try again.flush()
        }
        try again.close()
    }

    private func openings() throws {
        let count = 5000
        let start = Self.processorTime()
        for _ in 0..<count {
            try FileContainer.open(path, isWritable: false, Self.source).close()
        }
        let each = (Self.processorTime() - start) / Double(count) * 1e6
        print("protected file, opening (without the keychain): \(Int(each)) µs of processor time")
    }

    private func measure(
        _ name: String,
        _ megabytes: Int? = nil,
        _ body: () throws -> Void
    ) rethrows {
        let count = Double(megabytes ?? self.megabytes)
        let (wall, processor) = (ContinuousClock.now, Self.processorTime())
        try body()
        let seconds = (ContinuousClock.now - wall) / .seconds(1)
        let busy = Self.processorTime() - processor
        print("\(name): \(Int(count / seconds)) MiB/s, \(Int(count / busy)) per processor second")
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A key without wrapping, so that the keychain's own time is not measured.
    private static let source = FileKeySource { request throws(KeychainError) in
        let key = SharedSecret(Secret(copying: [UInt8](repeating: 3, count: 32)))
        return switch request {
        case .make(let fileClass, let file, _):
            .made(
                WrappedFileKey(
                    fileClass,
                    file: file,
                    group: "speed",
                    keySet: [UInt8](repeating: 0, count: 16),
                    ephemeralPublicKey: [],
                    wrapped: [UInt8](repeating: 0, count: 40)
                ),
                key: key
            )
        case .open: .key(key)
        case .move(let wrapped, _): .moved(wrapped)
        case .check: .usable
        }
    }
}
