import Glibc
import Secrets

@_implementationOnly import CSocket

/// Random bytes from the kernel.
package enum RandomBytes {
    /// Returns an unpredictable secret.
    ///
    /// - Source: getrandom(2).
    package static func secret(byteCount: Int) throws(SocketError) -> Secret {
        try Secret(byteCount: byteCount) { target throws(SocketError) in
            guard random_fill(target.baseAddress, target.count) == 0 else {
                throw .last("getrandom")
            }
        }
    }
}
