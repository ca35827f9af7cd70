import Foundation
import TestSupport
import Testing

/// The directory of the built library; nil if it was not built: `KEYCHAIN_PKCS11` asks for it.
private let products: URL? = {
    let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
    return bundles.flatMap { [$0, $0.deletingLastPathComponent()] }.first {
        let library = $0.appending(path: "libkeychain-pkcs11.so")
        return FileManager.default.fileExists(atPath: library.path)
    }
}()

/// A keychain of one test, and programs that load the built library.
private final class Door {
    static let passcode = "correct horse"

    private let directory: URL
    private let library: URL
    private let programs: URL

    /// Makes a keychain; a locked one has a passcode.
    init(isLocked: Bool = false) throws {
        programs = try #require(products)
        let manager = FileManager.default
        directory = manager.temporaryDirectory.appending(path: "pkcs11-\(UUID().uuidString)")
        library = directory.appending(path: "libkeychain-pkcs11.so")
        try manager.createDirectory(at: directory, withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            at: library,
            withDestinationURL: programs.appending(path: "libkeychain-pkcs11.so")
        )
        let repository = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        try manager.copyItem(
            at: repository.appending(path: "Packaging/pkcs11/libkeychain-pkcs11.so.entitlements"),
            to: directory.appending(path: "libkeychain-pkcs11.so.entitlements")
        )
        _ = try keychainctl(["status"])
        guard isLocked else { return }
        _ = try keychainctl(["passcode", "set"], input: "\(Self.passcode)\n\(Self.passcode)\n")
        _ = try keychainctl(["lock-keychain"])
    }

    deinit { Litter.remove(directory.path) }

    func keychainctl(_ words: [String], input: String = "") throws -> String {
        let ended = try run(programs.appending(path: "keychainctl"), words, input: input)
        #expect(ended.status == 0, "\(ended.output)")
        return ended.output
    }

    /// The test program of this package.
    func client(_ command: String) throws -> (status: Int32, output: String) {
        let words = [command, library.path, "keychain"]
        return try run(programs.appending(path: "pkcs11-client"), words)
    }

    /// Whether the programs of `Scripts/doors/pkcs11.sh` are here.
    static let hasClients = [
        "pkcs11-tool", "p11tool", "openssl", "curl", "ssh", "certutil", "modutil",
        "../lib/\(machine)-linux-gnu/engines-3/pkcs11.so",
    ]
    .allSatisfy { FileManager.default.fileExists(atPath: "/usr/bin/\($0)") }

    #if arch(arm64)
        private static let machine = "aarch64"
    #else
        private static let machine = "x86_64"
    #endif

    /// The script that tries real programs, in a keychain without a passcode.
    static func script(_ clients: [String]) throws -> (status: Int32, output: String) {
        let programs = try #require(products)
        let repository = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let script = repository.appending(path: "Scripts/doors/pkcs11.sh")
        let words = ["--bin", programs.path, "--open"] + clients
        return try run(script, words, environment: ProcessInfo.processInfo.environment)
    }

    /// OpenSC's program.
    func tool(_ words: [String]) throws -> (status: Int32, output: String) {
        try run(URL(filePath: "/usr/bin/pkcs11-tool"), ["--module", library.path] + words)
    }

    func openssl(_ words: [String]) throws -> (status: Int32, output: String) {
        try run(URL(filePath: "/usr/bin/openssl"), words)
    }

    /// The path of a file beside the keychain.
    func file(_ name: String) -> String { directory.appending(path: name).path }

    private func run(
        _ program: URL,
        _ words: [String],
        input: String = ""
    ) throws -> (status: Int32, output: String) {
        let environment = [
            "KEYCHAIN_HOME": file("home"), "KEYCHAIN_UNLOCK_TIME": "0",
            "KEYCHAIN_SOCKET": "", "KEYCHAIN_PROMPT": "none",
            "HOME": directory.path, "PATH": "/usr/bin:/bin",
            "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        return try Self.run(program, words, input: input, environment: environment)
    }

    private static func run(
        _ program: URL,
        _ words: [String],
        input: String = "",
        environment: [String: String]
    ) throws -> (status: Int32, output: String) {
        let words = [program.path] + words
        let result = try runProgram(words, input: input, environment: environment)
        return (result.status, result.output)
    }
}

@Suite(.enabled(if: products != nil, "set KEYCHAIN_PKCS11=1 to build the library"))
struct `The library for PKCS #11` {
    @Test(arguments: ["threads", "fork", "unload", "hostile"])
    func `survives`(command: String) throws {
        let door = try Door()
        let ended = try door.client(command)
        #expect(ended.status == 0, "\(ended.output)")
    }

    /// Threads, forks, ends of the module and loadings at once; also through a daemon.
    @Test(.timeLimit(.minutes(10)))
    func `serves threads and forked children until it is unloaded`() throws {
        let ended = try Door.script(["stress"])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.matches(of: #/stress.* ok .* forks/#).count == 2, "\(ended.output)")
    }

    /// Each client makes or uses keys, and another program checks what it did.
    @Test(
        .requirement("P11-01"),
        .enabled(if: Door.hasClients, "a client is not installed"),
        .enabled(if: geteuid() == 0, "sshd needs root")
    )
    func `works with programs of other projects`() throws {
        let clients = ["pkcs11-tool", "p11tool", "openssl", "curl", "ssh", "nss"]
        let ended = try Door.script(clients)
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.matches(of: #/ ok {6}/#).count == 13, "\(ended.output)")
    }

    @Test
    func `passes the test of pkcs11-tool`() throws {
        let door = try Door()
        let type = ["--keypairgen", "--key-type", "rsa:2048", "--label", "rsa", "--id", "01"]
        #expect(try door.tool(type).status == 0)
        let tested = try door.tool(["--test"])
        #expect(tested.status == 0)
        #expect(tested.output.contains("No errors"), "\(tested.output)")
        // Ordinary items: the command sees what a program made.
        #expect(try door.keychainctl(["find-key", "-l", "rsa"]).contains("rsa"))
    }

    @Test
    func `signs with pkcs11-tool what OpenSSL verifies`() throws {
        let door = try Door()
        _ = try door.keychainctl(["create-keypair", "-a", "ec", "made by the command"])
        try Data("message".utf8).write(to: URL(filePath: door.file("message")))
        let label = ["--label", "made by the command"]
        let signed = try door.tool(
            ["--sign", "-m", "ECDSA-SHA256", "--signature-format", "openssl"] + label
                + ["-i", door.file("message"), "-o", door.file("signature")]
        )
        #expect(signed.status == 0, "\(signed.output)")
        let read = ["--read-object", "--type", "pubkey", "-o", door.file("public.der")]
        #expect(try door.tool(read + label).status == 0)
        let verified = try door.openssl([
            "dgst", "-sha256", "-keyform", "DER", "-verify", door.file("public.der"), "-signature",
            door.file("signature"), door.file("message"),
        ])
        #expect(verified.output.contains("Verified OK"), "\(verified.output)")
    }

    @Test
    func `asks pkcs11-tool for the passcode of a locked keychain`() throws {
        let door = try Door(isLocked: true)
        #expect(try door.tool(["-L"]).output.contains("login required"))
        let wrong = try door.tool(["--login", "--pin", "wrong", "-O"])
        #expect(wrong.output.contains("CKR_PIN_INCORRECT"), "\(wrong.output)")
        let right = try door.tool(["--login", "--pin", Door.passcode, "-O"])
        #expect(right.status == 0, "\(right.output)")
        #expect(try !door.tool(["-L"]).output.contains("login required"))
    }
}
