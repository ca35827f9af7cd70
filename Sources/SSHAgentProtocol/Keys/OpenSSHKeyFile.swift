import Cryptography
import PlaintextFormats
import Secrets

/// The content of an `OPENSSH PRIVATE KEY` block.
///
/// - Source: OpenSSH's PROTOCOL.key.
package struct OpenSSHKeyFile: Sendable {
    private static let magic = Array("openssh-key-v1\0".utf8)
    private static let commentByteCountLimit = 1024

    package let key: SSHPrivateKey
    package let comment: String
    /// The type, fields and comment from the file, which a client sends to an agent to add the key.
    package let identity: SharedSecret

    /// Parses the decoded block.
    ///
    /// - Throws: `unsupported` for a file with a passphrase.
    package init(_ block: borrowing Secret) throws(SSHFormatError) {
        self = try block.withUnsafeBytes { bytes throws(SSHFormatError) in
            try OpenSSHKeyFile(bytes)
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(SSHFormatError) {
        guard bytes.starts(with: Self.magic) else { throw .malformed }
        var reader = SSHReader(bytes.dropFirst(Self.magic.count))
        let cipher = try reader.name()
        let function = try reader.name()
        _ = try reader.string()
        guard try reader.uint32() == 1 else { throw .unsupported("files of several keys") }
        let publicKey = try SSHPublicKey(blob: try reader.bytes())
        guard cipher == "none", function == "none" else {
            throw .unsupported("key files with a passphrase")
        }
        let section = try reader.string()
        try reader.finish()
        var fields = SSHReader(section)
        guard try fields.uint32() == fields.uint32() else { throw .malformed }
        let start = fields.rest
        key = try SSHPrivateKey(&fields)
        comment = try fields.text(atMost: Self.commentByteCountLimit)
        let identity = start.prefix(start.count - fields.rest.count)
        self.identity = SharedSecret(Secret(copying: UnsafeRawBufferPointer(rebasing: identity)))
        var padding: UInt8 = 0
        while !fields.isAtEnd {
            padding &+= 1
            guard padding < 64, try fields.byte() == padding else { throw .malformed }
        }
        guard key.publicKey == publicKey else { throw .malformed }
    }
}
