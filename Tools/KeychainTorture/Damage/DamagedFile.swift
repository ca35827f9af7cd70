import Glibc
import KeychainModel

/// One file that is changed in place and restored; only bytes that differ are written.
final class DamagedFile {
    private let path: String
    /// The bytes without damage.
    let good: [UInt8]
    private var buffer: [UInt8]

    init(_ path: String) throws(KeychainError) {
        self.path = path
        good = try ScratchDirectory.read(path)
        buffer = [UInt8](repeating: 0, count: good.count + 1)
    }

    /// A change of the file.
    enum Change: CustomStringConvertible {
        case flip(Int, UInt8)
        case cut(Int)

        var description: String {
            switch self {
            case .flip(let place, let bits): "byte \(place) changed by \(bits)"
            case .cut(let count): "cut to \(count) bytes"
            }
        }
    }

    func apply(_ change: Change) throws(KeychainError) {
        switch change {
        case .flip(let place, let bits): try write([good[place] ^ bits], at: place)
        case .cut(let count):
            guard truncate(path, count) == 0 else { throw failure("truncate") }
        }
    }

    /// Restores the bytes of a change, and leaves other differences as they are.
    func undo(_ change: Change) throws(KeychainError) {
        switch change {
        case .flip(let place, _): try write([good[place]], at: place)
        case .cut(let count): try write(Array(good[count...]), at: count)
        }
    }

    /// Whether the file is unchanged, except for this change.
    func isUntouched(after change: Change) throws(KeychainError) -> Bool {
        let count = try read()
        switch change {
        case .flip(let place, let bits):
            guard count == good.count else { return false }
            buffer[place] ^= bits
            return same(count)
        case .cut(let size): return count == size && same(count)
        }
    }

    private func same(_ count: Int) -> Bool {
        good.withUnsafeBytes { good in
            buffer.withUnsafeBytes { found in
                guard let good = good.baseAddress, let found = found.baseAddress else {
                    return count == 0
                }
                return memcmp(good, found, count) == 0
            }
        }
    }

    private func read() throws(KeychainError) -> Int {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        let count = Glibc.read(file, &buffer, buffer.count)
        guard count >= 0 else { throw failure("read") }
        return count
    }

    private func write(_ bytes: [UInt8], at place: Int) throws(KeychainError) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        guard pwrite(file, bytes, bytes.count, off_t(place)) == bytes.count else {
            throw failure("write")
        }
    }

    private func failure(_ what: String) -> KeychainError {
        KeychainError(.io, "cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}
