import EngineTestSupport
import Foundation
import KeychainEngine
import KeychainHost
import KeychainModel
import TestSupport
import Testing

/// What this process could reach a daemon, a bus or a network by.
private func openSockets() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/" + name
        )
        return target?.hasPrefix("socket:") ?? false
    }
}

/// Ends the process with a word about what was not as expected.
private func expect(_ isTrue: Bool, _ what: String) {
    guard !isTrue else { return }
    FileHandle.standardError.write(Data((what + "\n").utf8))
    exit(1)
}

@Suite struct `A process without privileges` {
    @Test(.requirement("OPS-01"))
    func `needs a writable directory and nothing else`() async throws {
        let home = try TestHome()
        await #expect(processExitsWith: .success) { [root = home.root as String] in
            try becomeNobody(owning: root)
            clearenv()
            let inherited = openSockets()
            let directory = root + "/keychain"
            setenv("KEYCHAIN_HOME", directory, 1)
            let keychain = TestKeychain(
                try EmbeddedKeychain.open(KeychainHome(.current), .current)
            )
            expect(keychain.add(password()) == .success, "add")
            expect(keychain.read(password()) == .value("open sesame"), "read")
            expect(keychain.update(password(), "new") == .success, "update")
            expect(keychain.read(password()) == .value("new"), "read again")
            expect(keychain.delete(password()) == .success, "delete")
            expect(keychain.read(password()) == .notFound, "read once more")
            expect(openSockets() == inherited, "a socket was opened")
        }
    }
}

@Suite struct `A disk that takes no more` {
    @Test func `is an error in a directory that cannot be written`() async throws {
        let home = try TestHome()
        do { try #require(try home.open().add(password()) == .success) }
        let before = try home.files()
        await #expect(processExitsWith: .success) { [root = home.root as String] in
            try becomeNobody(owning: root)
            let directory = root + "/keychain"
            chmod(directory, 0o500)
            do throws(KeychainError) {
                _ = try EmbeddedKeychain.open(KeychainHome(directory: directory), .current)
                expect(false, "the directory was opened")
            } catch {
                expect(error.status == .readOnly, "\(error)")
                expect(error.reason.contains(directory), "\(error)")
            }
        }
        #expect(try home.files() == before)
    }

    @Test func `is an error when files can grow no more, and loses nothing`() async throws {
        let home = try TestHome()
        await #expect(processExitsWith: .success) { [directory = home.directory as String] in
            signal(SIGXFSZ, SIG_IGN)
            let endpoint = try EmbeddedKeychain.open(KeychainHome(directory: directory), .current)
            let keychain = TestKeychain(endpoint)
            expect(keychain.add(password()) == .success, "add")
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let most = limit.rlim_max
            limit.rlim_cur = 256 * 1024
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let large = String(repeating: "x", count: 300 * 1024)
            let status = keychain.add(password("large"), large)
            expect(status == .io || status == .diskFull, "\(status)")
            expect(keychain.read(password()) == .value("open sesame"), "read")
            expect(keychain.read(password("large")) == .notFound, "half an item")
            limit.rlim_cur = most
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            expect(keychain.add(password("large"), large) == .success, "add again")
        }
    }

    @Test(.enabled(if: FullDisk.isPossible, "only root can mount a disk that is small enough"))
    func `is an error when it is full, and loses nothing`() throws {
        let disk = try FullDisk()
        let home = KeychainHome(directory: disk.path + "/keychain")
        let environment = ProcessEnvironment(executable: "/program") { _ in nil }
        let keychain = TestKeychain(try EmbeddedKeychain.open(home, environment))
        #expect(keychain.add(password()) == .success)
        try disk.fill()
        var refusals: [SecurityStatus] = []
        var added: [String] = []
        for number in 0..<40 {
            let status = keychain.add(password("account \(number)"))
            if status == .success {
                added.append("account \(number)")
            } else {
                refusals.append(status)
            }
        }
        #expect(!refusals.isEmpty)
        #expect(refusals.allSatisfy { $0 == .diskFull }, "\(refusals)")
        #expect(keychain.read(password()) == .value("open sesame"))
        #expect(keychain.accounts(password(nil)) == (added + ["ada"]).sorted())
        let passcode = EngineFixture.secret("1234")
        #expect(throws: KeychainError(.diskFull, "")) {
            try keychain.endpoint.engine.setPasscode(passcode, current: nil)
        }
        #expect(try !keychain.endpoint.engine.isPasscodeSet)
        try disk.makeRoom()
        #expect(keychain.add(password("later")) == .success)
        #expect(keychain.accounts(password(nil)) == (added + ["ada", "later"]).sorted())
    }
}
