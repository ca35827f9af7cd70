/// A hash function with the state of an unfinished message, as plain bytes.
///
/// It can be copied in the middle of a message, and discarded without an end. `start` also
/// initializes memory that was never written, as interfaces of C require.
package struct HashState: Sendable, BitwiseCopyable {
    /// The functions, some of which are broken: they are for old data.
    package enum Function: Int, Sendable, CaseIterable {
        case md4, md5, sha1, sha224, sha256, sha384, sha512

        /// The size of a hash in bytes.
        package var byteCount: Int {
            switch self {
            case .md4, .md5: 16
            case .sha1: 20
            case .sha224: 28
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        /// The size of a block in bytes.
        package var blockByteCount: Int {
            switch self {
            case .md4, .md5, .sha1, .sha224, .sha256: 64
            case .sha384, .sha512: 128
            }
        }
    }

    /// The state of libcrypto.
    var words = InlineArray<28, UInt64>(repeating: 0)

    /// Creates a state without a message.
    package init() {}
}
