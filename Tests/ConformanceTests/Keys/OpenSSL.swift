import Foundation
import TestSupport
import Testing

/// The `openssl` command: the other side of what has to be understood elsewhere.
enum OpenSSL {
    /// The command did not succeed.
    struct Failure: Error {
        let arguments: [String]
        let status: Int32
        let errors: String
    }

    /// Runs the command in a directory of its own, which holds nothing but the given files.
    ///
    /// - Returns: what it wrote to standard output.
    @discardableResult
    static func run(_ arguments: [String], files: [String: Data] = [:]) throws -> Data {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("openssl-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, bytes) in files {
            try bytes.write(to: directory.appendingPathComponent(name))
        }
        let program = try TestProgram(
            ["/usr/bin/openssl"] + arguments,
            directory: directory.path
        )
        let result = try program.run(joinsErrors: false)
        guard result.status == 0 else {
            throw Failure(arguments: arguments, status: result.status, errors: result.errors)
        }
        return Data(result.bytes)
    }

    /// Runs the command with arguments written as in a shell.
    @discardableResult
    static func run(_ line: String, files: [String: Data] = [:]) throws -> Data {
        try run(line.split(separator: " ").map(String.init), files: files)
    }

    /// A digest; `hash` is a name such as `sha256`.
    static func digest(_ hash: String, _ bytes: Data) throws -> Data {
        try run("dgst -\(hash) -binary input", files: ["input": bytes])
    }
}

extension KeyPair {
    /// ★ What stands before the bytes of a public key in a SubjectPublicKeyInfo.
    private static let publicHeaders: [KeyPair: String] = [
        .rsa: "30820122 300d06092a864886f70d0101010500 0382010f00",
        .p256: "3059 301306072a8648ce3d020106082a8648ce3d030107 034200",
        .p384: "3076 301006072a8648ce3d020106052b81040022 036200",
        .p521: "30819b 301006072a8648ce3d020106052b81040023 03818600",
        .ed25519: "302a 300506032b6570 032100",
        .x25519: "302a 300506032b656e 032100",
    ]

    /// ★ What surrounds a private key in SEC 1 and PKCS#8: before it, and before its point.
    private static let privateHeaders: [KeyPair: [String]] = [
        .p256: ["3077 020101 0420", "a00a06082a8648ce3d030107 a144034200"],
        .p384: ["3081a4 020101 0430", "a00706052b81040022 a164036200"],
        .p521: ["3081dc 020101 0442", "a00706052b81040023 a18189 03818600"],
        .ed25519: ["302e 020100 300506032b6570 0422 0420"],
        .x25519: ["302e 020100 300506032b656e 0422 0420"],
    ]

    /// The SubjectPublicKeyInfo of a public key of this kind.
    func publicKeyInfo(_ bytes: Data) throws -> Data {
        try Data(hex: #require(Self.publicHeaders[self])) + bytes
    }

    /// What other programs read a private key of this kind from.
    func privateKeyInfo(_ bytes: Data) throws -> Data {
        guard let headers = Self.privateHeaders[self] else { return bytes }
        guard let pointByteCount = publicByteCount, headers.count == 2 else {
            return Data(hex: headers[0]) + bytes
        }
        return Data(hex: headers[0]) + bytes.dropFirst(pointByteCount)
            + Data(hex: headers[1]) + bytes.prefix(pointByteCount)
    }

    /// The pair as files that `openssl` reads: `private.der` and `public.der`.
    func files() throws -> [String: Data] {
        let own = try #require(Keys.export(privateKey).value)
        let shared = try #require(Keys.export(publicKey).value)
        return [
            "private.der": try privateKeyInfo(own), "public.der": try publicKeyInfo(shared),
        ]
    }
}
