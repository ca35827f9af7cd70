import Foundation
import Glibc
import TestSupport
import Testing

/// An account that exists everywhere, and whose passcode nobody types.
private let account: UInt32 = 65_534
private let passcode = "correct horse"

@Suite(
    .enabled(if: geteuid() == 0, "several accounts need root"),
    .requirement("DMN-12")
)
struct `After a restart, an account without people` {
    let bench: DaemonBench
    private var file: String { bench.folder + "/credentials/keychain.\(account)" }

    init() throws {
        bench = try DaemonBench(servesAll: true)
        try bench.writePolicy()
        mkdir(bench.folder + "/credentials", 0o700)
        try bench.start("--system", "--state", bench.folder + "/state")
        let set = try bench.run("passcode", "set", input: passcode + "\n", account: account)
        try #require(set.status == 0, "\(set.errors)")
        try #require(try bench.add(as: account).status == 0)
        try #require(try bench.end() == 0)
    }

    @Test func `is locked without a source`() throws {
        try start()
        #expect(try bench.find(as: account).errors.contains("(-25308)"))
    }

    @Test func `is unlocked by a credential that systemd passes`() throws {
        try leave(passcode, at: file)
        try start()
        #expect(try bench.find(as: account).output == "open sesame\n")
    }

    @Test func `is unlocked by a file that systemd opens`() throws {
        let place = bench.folder + "/opened"
        try leave(passcode, at: place)
        let names = "LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=keychain.\(account)"
        try start(script: "exec 3<'\(place)'; \(names)")
        #expect(try bench.find(as: account).output == "open sesame\n")
    }

    @Test func `is not unlocked by the source of another account`() throws {
        try leave(passcode, at: bench.folder + "/credentials/keychain.1")
        try start()
        #expect(try bench.find(as: account).errors.contains("(-25308)"))
    }

    @Test func `is not unlocked by a wrong passcode or by a file that others read`() throws {
        try leave("wrong", at: file)
        try start()
        #expect(try bench.find(as: account).errors.contains("(-25308)"))
        try bench.end()
        try leave(passcode, at: file)
        chmod(file, 0o644)
        try start()
        #expect(try bench.find(as: account).errors.contains("(-25308)"))
    }

    @Test func `stays locked after a lock on purpose`() throws {
        try leave(passcode, at: file)
        try start()
        #expect(try bench.find(as: account).status == 0)
        #expect(try bench.run("lock-keychain", account: account).status == 0)
        try bench.end()
        try start()
        #expect(try bench.find(as: account).errors.contains("(-25308)"))
    }

    private func start(script: String? = nil) throws {
        try bench.start(
            "--system",
            "--state",
            bench.folder + "/state",
            variables: ["CREDENTIALS_DIRECTORY": bench.folder + "/credentials"],
            script: script
        )
    }

    private func leave(_ text: String, at place: String) throws {
        try Data((text + "\n").utf8).write(to: URL(filePath: place))
        chmod(place, 0o600)
    }
}
