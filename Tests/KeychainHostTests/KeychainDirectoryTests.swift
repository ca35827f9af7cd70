import EngineTestSupport
import Foundation
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@Suite struct `A keychain's directory` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    /// Adds an item and closes the keychain again.
    private func fill() throws { try #require(try home.open().add(password()) == .success) }

    private func expectRefusal(of path: String, because word: String) throws {
        let before = try home.files()
        let refusal = try #require(home.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains(path), "\(refusal)")
        #expect(refusal.reason.contains(word), "\(refusal)")
        #expect(try home.files() == before)
    }

    @Test(.requirement("STO-21"))
    func `and all in it belong to one user alone`() throws {
        let keychain = try home.open()
        try keychain.endpoint.engine.setPasscode(EngineFixture.secret("1234"), current: nil)
        keychain.add(password())
        #expect(FileFacts.mode(of: home.directory) == 0o700)
        let files = try home.files()
        let names = [
            "keybag", "secure-element", "keychain.db", "keychain.db-wal", "keychain.db-shm",
        ]
        #expect(Set(files.keys).isSuperset(of: names.map { home.directory + "/" + $0 }))
        #expect(home.sessionImages.count == 1)
        #expect(files.keys.filter { FileFacts.mode(of: $0) != 0o600 } == [])
    }

    @Test(.requirement("STO-21"), arguments: [0o750, 0o705, 0o770, 0o711] as [mode_t])
    func `is refused when others can reach it`(mode: mode_t) throws {
        try fill()
        chmod(home.directory, mode)
        try expectRefusal(of: home.directory, because: "other users can access")
    }

    @Test(
        .requirement("STO-21"),
        arguments: ["keybag", "secure-element", "keychain.db"],
        [0o640, 0o604, 0o666] as [mode_t]
    )
    func `is refused when others can reach a file in it`(file: String, mode: mode_t) throws {
        try fill()
        let path = home.directory + "/" + file
        chmod(path, mode)
        try expectRefusal(of: path, because: "other users can access")
    }

    @Test(arguments: ["keybag", "secure-element", "keychain.db"])
    func `is refused when a file in it is a symbolic link`(file: String) throws {
        try fill()
        let path = home.directory + "/" + file
        try require(rename(path, home.root + "/elsewhere") == 0, path)
        try require(symlink(home.root + "/elsewhere", path) == 0, path)
        try expectRefusal(of: path, because: "not a regular file")
    }

    @Test func `is refused when it is a symbolic link itself`() throws {
        try fill()
        try require(rename(home.directory, home.root + "/elsewhere") == 0, "rename")
        try require(symlink(home.root + "/elsewhere", home.directory) == 0, "symlink")
        try expectRefusal(of: home.directory, because: "not a regular file")
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give a file to another user"),
        arguments: ["", "/keybag", "/secure-element", "/keychain.db"]
    )
    func `is refused when somebody else owns it or a file in it`(file: String) throws {
        try fill()
        let path = home.directory + file
        try require(chown(path, 65534, 65534) == 0, path)
        try expectRefusal(of: path, because: "belongs to user 65534")
    }

    @Test(.requirement("STO-08"))
    func `keeps its items when the process ends and when the device restarts`() throws {
        let passcode = EngineFixture.secret("1234")
        do {
            let keychain = try home.open()
            #expect(keychain.add(password()) == .success)
            try keychain.endpoint.engine.setPasscode(passcode, current: nil)
        }
        #expect(try home.open().read(password()) == .value("open sesame"))
        let session = try #require(home.sessionImages.first)
        try require(unlink(session) == 0, session)
        let restarted = try home.open()
        #expect(restarted.read(password()) == .notAllowed)
        try restarted.endpoint.engine.unlock(passcode: passcode)
        #expect(restarted.read(password()) == .value("open sesame"))
    }

    @Test func `is made with its parents`() throws {
        let deep = KeychainHome(directory: home.root + "/a/b/keychain")
        _ = try EmbeddedKeychain.open(deep, home.environment())
        #expect(FileFacts.mode(of: home.root + "/a") == 0o700)
        #expect(FileFacts.mode(of: deep.directory) == 0o700)
        #expect(FileFacts.mode(of: deep.database) == 0o600)
    }

    /// A journal of a migration lies in it, also while a daemon has the keychain.
    @Test func `can be made without a keychain`() throws {
        let deep = KeychainHome(directory: home.root + "/a/keychain")
        try deep.prepareDirectory()
        try deep.prepareDirectory()
        #expect(FileFacts.mode(of: deep.directory) == 0o700)
        #expect(FileFacts.mode(of: deep.database) == nil)
    }

    @Test func `is not hindered by a database that a crash left unfinished`() throws {
        try require(mkdir(home.directory, 0o700) == 0, home.directory)
        let leftover = home.home.database + ".new"
        try require(FileFacts.make(leftover), leftover)
        try home.write(Array("half a page".utf8), to: leftover)
        try fill()
        #expect(FileFacts.mode(of: leftover) == nil)
        #expect(try home.open().read(password()) == .value("open sesame"))
    }

    /// What `KEYCHAIN_SOCKET` may be beside a daemon that listens in the runtime directory.
    private static let sockets: [(value: String?, isRefused: Bool)] = [
        (value: nil, isRefused: true),
        (value: "", isRefused: false),
        (value: "/nowhere/keychaind.sock", isRefused: true),
    ]

    @Test(.requirement("OPS-01"), arguments: sockets)
    func `is left to a daemon that listens, unless the variable says otherwise`(
        value: String?,
        isRefused: Bool
    ) throws {
        let daemon = try ListeningSocket(at: home.runtime + "/keychaind.sock")
        defer { daemon.close() }
        let environment = home.environment(value.map { ["KEYCHAIN_SOCKET": $0] } ?? [:])
        if isRefused {
            let refusal = #expect(throws: KeychainError.self) {
                try EmbeddedKeychain.open(home.home, environment)
            }
            #expect(refusal?.reason.contains("a daemon has its socket at") == true)
        } else {
            #expect(throws: Never.self) { try EmbeddedKeychain.open(home.home, environment) }
        }
    }

    @Test(.requirement("OPS-01"), arguments: [nil, "/nowhere/keychaind.sock"])
    func `is not locked in place of a daemon's keychain`(value: String?) throws {
        try fill()
        let daemon = try ListeningSocket(at: home.runtime + "/keychaind.sock")
        defer { daemon.close() }
        let before = try home.files()
        let environment = home.environment(value.map { ["KEYCHAIN_SOCKET": $0] } ?? [:])
        let refusal = #expect(throws: KeychainError.self) {
            try EmbeddedKeychain.lockUnopened(environment)
        }
        #expect(refusal?.status == .notAvailable)
        #expect(try home.files() == before)
    }

    @Test(.requirement("OPS-01"), arguments: ["phone", "/nowhere/phone.sock"])
    func `is not locked in place of a simulated device's`(name: String) throws {
        try fill()
        let before = try home.files()
        let refusal = #expect(throws: KeychainError.self) {
            try EmbeddedKeychain.lockUnopened(home.environment(["KEYCHAIN_SIM": name]))
        }
        #expect(refusal?.status == .notAvailable)
        #expect(try home.files() == before)
    }
}
