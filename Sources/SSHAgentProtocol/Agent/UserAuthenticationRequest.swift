/// The data that a client signs to log in.
///
/// - Source: RFC 4252 §7; OpenSSH's PROTOCOL, "publickey-hostbound-v00@openssh.com".
struct UserAuthenticationRequest {
    private static let messageNumber: UInt8 = 50
    private static let hostBoundMethod = "publickey-hostbound-v00@openssh.com"

    let sessionID: [UInt8]
    let user: String
    /// The blob of the user's key.
    let key: [UInt8]
    /// The blob of the host key, if the method names it.
    let hostKey: [UInt8]?

    /// Parses the data of a sign request.
    ///
    /// - Throws: `malformed` if the data is not such a request.
    init(_ data: [UInt8]) throws(SSHFormatError) {
        self = try SSHReader.read(data) { reader throws(SSHFormatError) in
            try UserAuthenticationRequest(&reader)
        }
    }

    private init(_ reader: inout SSHReader) throws(SSHFormatError) {
        sessionID = try reader.bytes()
        guard try reader.byte() == Self.messageNumber else { throw .malformed }
        user = try reader.text()
        guard try reader.name() == "ssh-connection" else { throw .malformed }
        let method = try reader.name()
        guard method == "publickey" || method == Self.hostBoundMethod, try reader.boolean() else {
            throw .malformed
        }
        _ = try reader.name()
        key = try reader.bytes()
        hostKey = method == Self.hostBoundMethod ? try reader.bytes() : nil
    }
}
