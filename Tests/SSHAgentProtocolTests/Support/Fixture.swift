import Cryptography
import Foundation
import SSHAgentProtocol
import Secrets
import Testing

/// Keys, certificates and signatures that ssh-keygen made; see make-fixtures.sh.
enum Fixture {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// The decoded block of a file in PEM.
    static func block(_ name: String) throws -> [UInt8] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        guard let data = Data(base64Encoded: lines.joined()) else {
            throw CocoaError(.coderInvalidValue)
        }
        return [UInt8](data)
    }

    static func key(_ name: String) throws -> OpenSSHKeyFile {
        try OpenSSHKeyFile(Secret(copying: try block(name)))
    }

    /// Type, fields and comment of a private key, as a client sends them.
    static func identity(_ name: String) throws -> [UInt8] {
        try key(name).identity.secret.copyBytesUnprotected()
    }

    /// The key or certificate of a `.pub` file.
    static func publicKey(_ name: String) throws -> SSHPublicKey {
        let text = try String(contentsOf: folder.appending(path: name + ".pub"), encoding: .utf8)
        return try SSHPublicKey.parse(line: text).key
    }

    /// Signs as the owner of a key does.
    static func signature(_ message: [UInt8], by name: String) throws -> SSHSignature {
        let key = try key(name).key
        let scheme = try #require(SSHSignatureScheme(key.publicKey.type))
        let made = try key.key.sign(message, with: scheme.algorithm)
        return try SSHSignature(scheme, signature: made)
    }
}

/// Messages as a client writes them.
enum ClientMessage {
    static let identities: [UInt8] = [11]
    static let removeAll: [UInt8] = [19]
    static let query = extended("query") { _ in }

    static func add(_ name: String) throws -> [UInt8] { [17] + (try Fixture.identity(name)) }

    static func add(_ name: String, _ constraints: [UInt8]) throws -> [UInt8] {
        [25] + (try Fixture.identity(name)) + constraints
    }

    static func lifetime(_ seconds: UInt32) -> [UInt8] {
        SSHWriter.bytes { writer in
            writer.byte(1)
            writer.uint32(seconds)
        }
    }

    static let confirm: [UInt8] = [2]

    static func sign(_ key: SSHPublicKey, _ data: [UInt8], flags: UInt32 = 4) -> [UInt8] {
        SSHWriter.bytes { writer in
            writer.byte(13)
            writer.string(key.blob)
            writer.string(data)
            writer.uint32(flags)
        }
    }

    static func remove(_ key: SSHPublicKey) -> [UInt8] { text(18, key.blob) }

    static func lock(_ passphrase: String) -> [UInt8] { text(22, Array(passphrase.utf8)) }

    static func unlock(_ passphrase: String) -> [UInt8] { text(23, Array(passphrase.utf8)) }

    static func extended(_ name: String, _ body: (inout SSHWriter) -> Void) -> [UInt8] {
        SSHWriter.bytes { writer in
            writer.byte(27)
            writer.string(name)
            body(&writer)
        }
    }

    /// A binding of a session, signed by the host unless another signature is given.
    static func bind(
        _ host: String,
        session: [UInt8],
        forwarding: Bool,
        signature: SSHSignature? = nil,
        certificate: String? = nil
    ) throws -> [UInt8] {
        let hostKey = try Fixture.publicKey(certificate ?? host)
        let signature = try signature ?? Fixture.signature(session, by: host)
        return extended("session-bind@openssh.com") { writer in
            writer.string(hostKey.blob)
            writer.string(session)
            writer.string(signature.blob)
            writer.boolean(forwarding)
        }
    }

    private static func text(_ type: UInt8, _ contents: [UInt8]) -> [UInt8] {
        SSHWriter.bytes { writer in
            writer.byte(type)
            writer.string(contents)
        }
    }
}

/// Destination constraints as ssh-add writes them.
enum Destinations {
    struct Hop {
        var user = ""
        var host = ""
        var keys: [(name: String, isAuthority: Bool)] = []
    }

    struct Step {
        var from = Hop()
        let to: Hop
    }

    static func bytes(_ steps: [Step]) throws -> [UInt8] {
        let list = try steps.map(bytes)
        return SSHWriter.bytes { writer in
            writer.byte(255)
            writer.string(KeyConstraints.destinationExtension)
            writer.string(list.flatMap { step in SSHWriter.bytes { $0.string(step) } })
        }
    }

    private static func bytes(_ step: Step) throws -> [UInt8] {
        let hops = try [bytes(step.from), bytes(step.to)]
        return SSHWriter.bytes { writer in
            for hop in hops { writer.string(hop) }
            writer.string("")
        }
    }

    private static func bytes(_ hop: Hop) throws -> [UInt8] {
        let keys = try hop.keys.map { (try Fixture.publicKey($0.name).blob, $0.isAuthority) }
        return SSHWriter.bytes { writer in
            writer.string(hop.user)
            writer.string(hop.host)
            writer.string("")
            for (blob, isAuthority) in keys {
                writer.string(blob)
                writer.boolean(isAuthority)
            }
        }
    }
}
