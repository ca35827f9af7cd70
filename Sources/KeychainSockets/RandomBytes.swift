import Glibc
import Secrets

@_implementationOnly import CSocket

/// Random bytes of the kernel.
package enum RandomBytes {
    /// A secret that nobody can guess.
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
