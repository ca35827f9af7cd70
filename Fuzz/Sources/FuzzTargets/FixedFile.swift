import Cryptography
import Glibc
import KeychainMessages
import KeychainModel
import Secrets

@testable import ProtectedFiles

/// A protected file without a name whose key everybody knows, so that the corpus stays valid.
final class FixedFile {
    private static let key = SharedSecret(Secret(copying: [UInt8](0..<32)))

    /// Opens every file, in every class.
    static let source = FileKeySource { request throws(KeychainError) in
        switch request {
        case .open: return .key(key)
        case .check: return .usable
        case .make, .move: throw KeychainError(.unimplemented, "nothing is made here")
        }
    }

    private let descriptor: Int32

    /// Where the file can be opened.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// An empty file.
    init() throws(BrokenLaw) {
        let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        let path = "\(folder)/keychain-fuzz-\(UInt64.random(in: 0 ... .max))"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BrokenLaw(law: "a file without a name can be made") }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// Writes bytes at a place.
    func put(_ bytes: [UInt8], at offset: Int) throws(BrokenLaw) {
        let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        try require(count == bytes.count, "a file takes everything")
    }

    /// How long the file is.
    var byteCount: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    /// The first bytes.
    func prefix(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        return [UInt8](bytes.prefix(max(0, pread(descriptor, &bytes, count, 0))))
    }

    /// The keys of a file under the key that everybody knows.
    static func keys(of file: FileIdentifier) throws(BrokenLaw) -> FileKeys {
        try made { () throws(CryptographyError) in try FileKeys(key.secret, of: file) }
    }

    /// Carries out cryptography that cannot fail.
    static func made<Value>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(BrokenLaw) -> Value {
        do throws(CryptographyError) { return try body() } catch {
            throw BrokenLaw(law: "what is known can be sealed: \(error)")
        }
    }

    /// A chunk as the disk has it.
    static func sealed(
        _ chunk: UInt32,
        _ content: [UInt8],
        _ keys: FileKeys
    ) throws(BrokenLaw) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: content.count + ChunkCipher.overhead)
        try made { () throws(CryptographyError) in
            try sealed.withMutableRawBytes { output throws(CryptographyError) in
                try content.withRawBytes { content throws(CryptographyError) in
                    try keys.seal(chunk, content, into: output)
                }
            }
        }
        return sealed
    }
}

extension FixedFile {
    /// What a reader finds at some places.
    struct View: Equatable {
        let byteCount: Int
        let parts: [Result<[UInt8], FileFailure>]
    }

    /// Opens the file, looks at it and closes it.
    ///
    /// - Returns: nil if it does not open.
    /// - Throws: `BrokenLaw` if it does not close.
    func view(isWritable: Bool, at offsets: [Int] = []) throws(BrokenLaw) -> View? {
        let opened = try? FileContainer.open(path, isWritable: isWritable, Self.source)
        guard let file = opened else { return nil }
        let ends = [0, 65530, file.byteCount - 50, file.byteCount]
        let view = View(
            byteCount: file.byteCount,
            parts: (ends + offsets).map { Self.part(of: file, at: $0) }
        )
        do throws(FileFailure) { try file.close() } catch {
            throw BrokenLaw(law: "a file that nobody changed closes: \(error)")
        }
        return view
    }

    private static func part(
        of file: FileContainer,
        at offset: Int
    ) -> Result<[UInt8], FileFailure> {
        var bytes = [UInt8](repeating: 0xEE, count: 100)
        do throws(FileFailure) {
            let count = try bytes.withMutableRawBytes { buffer throws(FileFailure) in
                try file.read(into: buffer, at: offset)
            }
            return .success([UInt8](bytes.prefix(count)))
        } catch { return .failure(error) }
    }

    /// Insists that a writer finds and leaves what a reader finds, and nothing behind it.
    ///
    /// - Returns: Whether the file opens.
    func checkRepair(at offsets: [Int] = []) throws(BrokenLaw) -> Bool {
        let before = try view(isWritable: false, at: offsets)
        let during = try view(isWritable: true, at: offsets)
        try require(during == before, "a writer finds what a reader finds")
        guard let before else { return false }
        let after = try view(isWritable: false, at: offsets)
        try require(after == before, "a writer leaves what it found")
        let slots = prefix(FileLayout.firstChunk)
        try require(
            slots.prefix(FileLayout.slotByteCount) == slots.suffix(FileLayout.slotByteCount),
            "a writer leaves two slots that are the same"
        )
        try require(
            byteCount <= FileLayout.end(before.byteCount),
            "a writer leaves nothing behind the last chunk"
        )
        return true
    }
}
