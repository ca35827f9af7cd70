import Secrets
import TestSupport

/// 32 bytes that stand nowhere in memory until they are asked for.
enum MemoryMarker {
    static func make() -> Secret {
        Secret(byteCount: 32) { bytes in
            for index in bytes.indices {
                bytes[index] = UInt8(truncatingIfNeeded: index &* 37) ^ 0xA5
            }
        }
    }

    /// How often the marker stands in memory, this look at it excepted.
    static func occurrences() -> Int {
        let marker = make()
        return marker.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
    }
}

/// A second copy of a key, to look for the first.
struct CopiedKey {
    private let secret: SharedSecret?

    init(_ secret: consuming Secret?) {
        guard let secret else {
            self.secret = nil
            return
        }
        self.secret = SharedSecret(secret)
    }

    func occurrences() -> Int {
        secret?.secret.withUnsafeBytes { MemoryScan.occurrences(of: $0) } ?? -1
    }
}
