import Foundation
import Glibc
import TestSupport
import Testing

/// Another account than root's, which exists everywhere.
private let nobody: UInt32 = 65_534
private let daemonAccount: UInt32 = 1

@Suite(
    .enabled(if: geteuid() == 0, "several accounts need root"),
    .requirement("DMN-02")
)
struct `The daemon of all accounts` {
    let bench: DaemonBench

    init() throws {
        bench = try DaemonBench(servesAll: true)
        try bench.writePolicy()
        try bench.start("--system", "--state", bench.folder + "/state")
    }

    @Test func `keeps a keychain for each account`() throws {
        #expect(try bench.add(as: nobody).status == 0)
        #expect(try bench.find(as: nobody).output == "open sesame\n")
        #expect(try bench.find(as: daemonAccount).status == 44)
    }

    @Test func `keeps it where no other account can read it`() throws {
        _ = try bench.add(as: nobody)
        let place = bench.folder + "/state/\(nobody)"
        var status = stat()
        #expect(stat(place, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(place + "/keychain.db", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(status.st_uid == geteuid())
    }

    @Test func `is used whatever the environment names as its own keychain`() throws {
        _ = try bench.add(as: nobody)
        let entitlements = bench.folder + "/wide.plist"
        let list = """
            <plist version="1.0"><dict><key>application-identifier</key>
            <string>com.example.wide</string></dict></plist>
            """
        try Data(list.utf8).write(to: URL(filePath: entitlements))
        let found = try bench.run(
            "status",
            "--json",
            variables: ["KEYCHAIN_ENTITLEMENTS": entitlements],
            account: nobody
        )
        #expect(found.output.contains("\"keychain\""))
        #expect(!found.output.contains("com.example.wide"))
    }

    @Test(.requirement("GRP-24", "OPS-02"))
    func `gives a program no group that it declares for itself`() throws {
        let entitlements = bench.folder + "/wide.plist"
        let list = """
            <plist version="1.0"><dict><key>application-identifier</key>
            <string>keychain</string><key>keychain-access-groups</key>
            <array><string>TEAM.bank</string></array></dict></plist>
            """
        try Data(list.utf8).write(to: URL(filePath: entitlements))
        let declared = ["KEYCHAIN_ENTITLEMENTS": entitlements]
        func find(_ group: String) throws -> DaemonBench.Result {
            try bench.run(
                "find-generic-password",
                "--access-group",
                group,
                variables: declared,
                account: nobody
            )
        }
        // The same list counts where no daemon keeps programs apart.
        let embedded = try bench.run(
            "find-generic-password",
            "--access-group",
            "TEAM.bank",
            variables: declared.merging(["KEYCHAIN_SOCKET": ""]) { $1 },
            account: nobody
        )
        #expect(embedded.errors.contains("-25300"), "\(embedded.errors)")
        #expect(try find("TEAM.bank").errors.contains("(-34018)"))
        #expect(try find("keychain").errors.contains("-25300"))
    }

    @Test func `does not run as root without a place for tests`() throws {
        let other = try DaemonBench(servesAll: true)
        let said = try other.start("--system", "--socket", other.socket, withDefaults: false)
        #expect(said.contains("does not run as root"))
        #expect(try other.exitStatus() == 1)
    }

    @Test func `keeps what it has across a restart`() throws {
        _ = try bench.add(as: nobody)
        #expect(try bench.end() == 0)
        try bench.start("--system", "--state", bench.folder + "/state")
        #expect(try bench.find(as: nobody).output == "open sesame\n")
    }
}
