import Cryptography
import Secrets
import TestSupport
import Testing

@testable import SSHAgentProtocol

private let names = ["ed25519", "p256", "p384", "p521", "rsa"]
private let certificates = ["ed25519", "p256", "rsa"]

@Suite struct `Keys of ssh-keygen` {
    @Test(arguments: names) func `are read from their file`(name: String) throws {
        let file = try Fixture.key(name)
        #expect(file.comment == name)
        #expect(file.key.publicKey == (try Fixture.publicKey(name)))
    }

    @Test(arguments: names) func `are written as they were read`(name: String) throws {
        let key = try Fixture.publicKey(name)
        #expect(try #require(SSHPublicKey(key.key)).blob == key.blob)
        let line = key.line(comment: name)
        #expect(try SSHPublicKey.parse(line: line + "\n").key == key)
        #expect(try SSHPublicKey.parse(line: line).comment == name)
    }

    @Test(arguments: certificates)
    func `are read from a certificate about them`(name: String) throws {
        let certified = try Fixture.publicKey(name + "-cert")
        let plain = try Fixture.publicKey(name)
        #expect(certified.hasSameKey(as: plain))
        #expect(certified != plain)
        #expect(certified.fingerprint == plain.fingerprint)
        let certificate = try #require(certified.certificate)
        #expect(certificate.principals == ["ada", "grace"])
        #expect(certificate.keyID == name)
        #expect(certificate.kind == .user)
        #expect(certificate.issuer == (try Fixture.publicKey("authority").blob))
    }

    @Test(arguments: names) func `sign what they verify`(name: String) throws {
        let message = Array("a message".utf8)
        let signature = try Fixture.signature(message, by: name)
        let key = try Fixture.publicKey(name)
        #expect(try SSHSignature(signature.blob).isValid(for: message, by: key))
        #expect(try !signature.isValid(for: message + [0], by: key))
        #expect(try !signature.isValid(for: message, by: try Fixture.publicKey("authority")))
    }

    /// SSHSIG: its own frame around the message that is signed.
    @Test(arguments: names) func `verify what ssh-keygen signed`(name: String) throws {
        let file = Array(try Fixture.block(name + ".sig").dropFirst(6))
        let (blob, made) = try SSHReader.read(file) { reader throws(SSHFormatError) in
            _ = try reader.uint32()
            let blob = try reader.bytes()
            // Namespace, reserved, and the hash.
            _ = [try reader.bytes(), try reader.bytes(), try reader.bytes()]
            return (blob, try reader.bytes())
        }
        #expect(blob == (try Fixture.publicKey(name).blob))
        let digest = try HashAlgorithm.sha512.hash(Array("hello\n".utf8))
        var message = SSHWriter(Array("SSHSIG".utf8))
        message.string("file")
        message.string("")
        message.string("sha512")
        message.string(digest)
        let key = try Fixture.publicKey(name)
        #expect(try SSHSignature(made).isValid(for: message.bytes, by: key))
    }

    @Test func `are not read under a passphrase`() {
        #expect(throws: SSHFormatError.unsupported("key files with a passphrase")) {
            try Fixture.key("encrypted")
        }
    }

    @Test func `are not read if SSH has given their kind up`() {
        #expect(throws: SSHFormatError.unsupported("keys of type ssh-dss")) {
            try Fixture.key("dsa")
        }
        #expect(throws: SSHFormatError.unsupported("keys of type ssh-dss")) {
            try Fixture.publicKey("dsa")
        }
    }

    @Test(arguments: certificates)
    func `are in no certificate that was changed`(name: String) throws {
        let blob = try Fixture.publicKey(name + "-cert").blob
        let changed = SpoiledBytes.all(of: blob, flipping: 0x01)
        #expect(changed.allSatisfy { (try? SSHPublicKey(blob: $0)) == nil })
    }

    @Test func `are in no file that was changed`() throws {
        let key = try Fixture.publicKey("ed25519")
        let changed = SpoiledBytes.all(of: try Fixture.block("ed25519"), flipping: 0x01)
        let read = changed.compactMap { try? OpenSSHKeyFile(Secret(copying: $0)) }
        // Nothing guards the comment, nor the options of a file without a passphrase.
        #expect(read.allSatisfy { $0.key.publicKey == key })
    }

    @Test func `have halves that belong together`() throws {
        let mine = try Fixture.identity("ed25519")
        let other = try Fixture.identity("authority")
        // The private half of another key, under the public one.
        let point = 4 + 11 + 4
        var mixed = mine
        mixed.replaceSubrange(
            (point + 36)..<(point + 36 + 64),
            with: other[(point + 36)..<(point + 36 + 64)]
        )
        #expect(throws: SSHFormatError.malformed) {
            try mixed.withUnsafeBufferPointer { buffer throws(SSHFormatError) in
                var reader = SSHReader(UnsafeRawBufferPointer(buffer))
                return try SSHPrivateKey(&reader)
            }
        }
    }

    @Test func `of RSA have primes that belong to the modulus`() throws {
        var bytes = try Fixture.identity("rsa")
        // A digit of the second prime, which stands in front of the comment.
        bytes[bytes.count - 20] ^= 1
        #expect(throws: SSHFormatError.malformed) {
            try bytes.withUnsafeBufferPointer { buffer throws(SSHFormatError) in
                var reader = SSHReader(UnsafeRawBufferPointer(buffer))
                return try SSHPrivateKey(&reader)
            }
        }
    }

    @Test(
        arguments: [
            (0, nil), (2, "rsa-sha2-256"), (4, "rsa-sha2-512"), (6, "rsa-sha2-512"), (1, nil),
        ]
            as [(UInt32, String?)]
    )
    func `of RSA sign with the hash that the flags name`(flags: UInt32, name: String?) throws {
        let type = try #require(SSHKeyType(name: "ssh-rsa"))
        #expect(SSHSignatureScheme(type, flags: flags)?.name == name)
        let certified = try #require(SSHKeyType(name: "ssh-rsa-cert-v01@openssh.com"))
        #expect(SSHSignatureScheme(certified, flags: flags)?.name == name)
    }

    @Test func `of RSA have no signature with SHA-1`() throws {
        let message = Array("a message".utf8)
        let made = try Fixture.key("rsa").key.key.sign(
            message,
            with: .rsaPKCS1v15(.sha1, .message)
        )
        let blob = SSHWriter.bytes { writer in
            writer.string("ssh-rsa")
            writer.string(made)
        }
        let key = try Fixture.publicKey("rsa")
        #expect(try !SSHSignature(blob).isValid(for: message, by: key))
    }

    @Test func `certify a host in its time, by its name`() throws {
        let certificate = try #require(try Fixture.publicKey("host-cert").certificate)
        let now: UInt64 = 1_767_225_600
        #expect(certificate.isValid(forHost: "shop.example.org", at: now))
        #expect(certificate.isValid(forHost: "SHOP.example.org", at: now))
        #expect(!certificate.isValid(forHost: "example.org", at: now))
        #expect(!certificate.isValid(forHost: "shop.example.org", at: 0))
        #expect(!certificate.isValid(forHost: "shop.example.org", at: certificate.validBefore))
        let user = try #require(try Fixture.publicKey("ed25519-cert").certificate)
        #expect(!user.isValid(forHost: "ada", at: now))
    }
}
