import EngineTestSupport
import Foundation
import Glibc
import KeychainHost
import KeychainModel
import TestSupport
import Testing

/// Makes this process one that asks for diagnostics, with one more variable, and opens a keychain.
private func openWithDiagnostics(_ name: String? = nil, _ value: String = "") {
    clearenv()
    setenv("KEYCHAIN_DIAGNOSTICS", "1", 1)
    if let name { setenv(name, value, 1) }
    let isRefused = (try? RequestRouter.endpoint()) == nil
    exit(isRefused ? EXIT_SUCCESS : EXIT_FAILURE)
}

@Suite(.enabled(if: geteuid() == 0, "only root can become an account of its own for these tests"))
struct `A keychain that cannot be opened` {
    private func text(_ result: ExitTest.Result?) throws -> String {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }

    @Test(.requirement("USE-05"))
    func `says so where HOME is unset and the account's home cannot be written`() async throws {
        let entry = try #require(getpwuid(65534))
        let home = String(cString: entry.pointee.pw_dir)
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            setgid(65534)
            setuid(65534)
            openWithDiagnostics()
        }
        let place = "\(home)/.local/share/keychain"
        let line = "keychain: the keychain in \(place) cannot be opened: errSec"
        #expect(try text(result).contains(line))
    }

    @Test(.requirement("USE-05"))
    func `says so where HOME is unset and there is no account`() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            setuid(54321)
            openWithDiagnostics()
        }
        let line = "keychain: the keychain cannot be opened: errSecNotAvailable (-25291)"
        #expect(try text(result).contains(line))
    }

    @Test(.requirement("USE-05"))
    func `says so where its directory cannot be written`() async throws {
        let home = try TestHome()
        do { try #require(try home.open().add(password()) == .success) }
        chmod(home.directory, 0o500)
        defer { chmod(home.directory, 0o700) }
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [root = home.root as String] in
            try becomeNobody(owning: root)
            openWithDiagnostics("KEYCHAIN_HOME", root + "/keychain")
        }
        let line = "keychain: the keychain in \(home.directory) cannot be opened: errSecReadOnly"
        #expect(try text(result).contains(line))
    }

    @Test(
        .requirement("USE-05"),
        .enabled(if: FullDisk.isPossible, "only root can mount a disk that is small enough")
    )
    func `says so where its disk is full`() async throws {
        let disk = try FullDisk()
        try disk.fill()
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [path = disk.path as String] in
            openWithDiagnostics("KEYCHAIN_HOME", path + "/keychain")
        }
        let place = "\(disk.path)/keychain"
        let line = "keychain: the keychain in \(place) cannot be opened: errSecDiskFull"
        #expect(try text(result).contains(line))
    }
}
