import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import KeychainHost

@Suite struct `The socket of a simulated device` {
    private func environment(
        _ variables: [String: String] = [:],
        userID: UInt32 = geteuid()
    ) -> ProcessEnvironment {
        ProcessEnvironment(executable: "/bin/x", userID: userID, variable: { variables[$0] })
    }

    /// A directory of its own, as systemd makes one for each account.
    private func runtime() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sim-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `is named by a variable, or not at all`() throws {
        #expect(try SimulationSocket.named(in: environment()) == nil)
        #expect(try SimulationSocket.named(in: environment(["KEYCHAIN_SIM": ""])) == nil)
        let named = try SimulationSocket.named(in: environment(["KEYCHAIN_SIM": "phone"]))
        #expect(named?.name == "phone")
    }

    @Test func `lies in the account's runtime directory, else in one of its own`() throws {
        let socket = try SimulationSocket(
            "phone",
            environment(["XDG_RUNTIME_DIR": "/r"], userID: 7)
        )
        #expect(
            socket.candidates == [
                "/r/keychain-sim/phone.sock", "/run/user/7/keychain-sim/phone.sock",
                "/tmp/keychain-sim-7/phone.sock",
            ]
        )
        let bare = try SimulationSocket("phone", environment(userID: 7))
        #expect(bare.candidates == Array(socket.candidates.dropFirst()))
    }

    @Test func `may be a path`() throws {
        let socket = try SimulationSocket("/tmp/x/phone.sock", environment())
        #expect(socket.name == "phone")
        #expect(socket.candidates == ["/tmp/x/phone.sock"])
        #expect(try socket.prepare() == "/tmp/x/phone.sock")
    }

    @Test(arguments: [
        "./phone", "a/b", ".phone", "-phone", "pho ne", "phöne", "a\nb",
        String(repeating: "a", count: 65), "/" + String(repeating: "a", count: 120),
    ])
    func `is refused under another name`(word: String) {
        let error = #expect(throws: KeychainError.self) {
            try SimulationSocket(word, environment())
        }
        #expect(error?.status == .param)
    }

    @Test func `is in a directory that nobody else can enter`() throws {
        let folder = try runtime()
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = try SimulationSocket("phone", environment(["XDG_RUNTIME_DIR": folder.path]))
        let path = try socket.prepare()
        #expect(path == folder.path + "/keychain-sim/phone.sock")
        var status = stat()
        #expect(lstat(folder.path + "/keychain-sim", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func `that does not exist is named with the way out`() throws {
        let folder = try runtime()
        defer { try? FileManager.default.removeItem(at: folder) }
        let variables = ["XDG_RUNTIME_DIR": folder.path]
        let socket = try SimulationSocket("absent-device", environment(variables))
        let error = #expect(throws: KeychainError.self) { try socket.served() }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.hasSuffix("keychainctl simulate --serve absent-device") == true)
    }

    @Test func `is not used in a directory that others can enter`() throws {
        let folder = try runtime()
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.path + "/keychain-sim"
        #expect(mkdir(place, 0o700) == 0)
        try listen(at: place + "/phone.sock")
        let socket = try SimulationSocket("phone", environment(["XDG_RUNTIME_DIR": folder.path]))
        #expect(try socket.served() == place + "/phone.sock")
        #expect(chmod(place, 0o755) == 0)
        let error = #expect(throws: KeychainError.self) { try socket.served() }
        #expect(error?.reason.contains("open to other accounts") == true)
    }

    private func listen(at path: String) throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(number >= 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bind(
                number,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        try #require(result == 0)
    }
}
