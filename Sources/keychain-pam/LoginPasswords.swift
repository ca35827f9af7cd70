import Glibc
import Secrets

/// The passwords on standard input, each after its size: four bytes, big-endian.
struct LoginPasswords {
    private static let byteCountLimit = 4095

    /// Reads the next password; nil if there is none, or if it is incomplete.
    func next() -> SharedSecret? {
        guard let header = read(4) else { return nil }
        let count = header.withUnsafeBytes { bytes in bytes.reduce(0) { $0 << 8 | Int($1) } }
        guard (1...Self.byteCountLimit).contains(count), let password = read(count) else {
            return nil
        }
        return SharedSecret(password)
    }

    private func read(_ byteCount: Int) -> Secret? {
        var count = 0
        let bytes = Secret(byteCount: byteCount) { target in
            while count < byteCount {
                let room = UnsafeMutableRawBufferPointer(rebasing: target[count...])
                let part = Glibc.read(STDIN_FILENO, room.baseAddress, room.count)
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return }
                count += part
            }
        }
        guard count == byteCount else { return nil }
        return bytes
    }
}
