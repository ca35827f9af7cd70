import Foundation
import Glibc
import TestSupport
import Testing

private let isRoot = geteuid() == 0
private let reason: Comment = "it changes owners and groups of files, which needs root"

/// The command, beside the tests.
private let program: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent + "/keychainctl"
}()

/// A directory that only root can write, with a copy of a program, and dpkg's list for itself.
private final class Bench {
    let directory: String
    var program: String { directory + "/program" }

    init() throws {
        directory = "/opt/keychain-protect-\(UUID().uuidString)"
        try run(
            "install -d -m 755 \(directory) \(directory)/dpkg"
                + " && touch \(directory)/dpkg/statoverride"
        )
        try run("cp /bin/true \(program) && chmod 755 \(program)")
        try run("getent group keychain-client >/dev/null || groupadd --system keychain-client")
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func run(_ command: String) throws {
        let result = try shell(command)
        try #require(result.status == 0, "\(command): \(result.output)")
    }

    func shell(_ command: String) throws -> (status: Int32, output: String) {
        let environment = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DPKG_ADMINDIR": directory + "/dpkg",
            "HOME": directory,
        ]
        let result = try runProgram(["/bin/sh", "-c", command], environment: environment)
        return (result.status, result.output)
    }

    func protect(_ arguments: String) throws -> (status: Int32, output: String) {
        try shell("\(KeychainCommandTests.program) protect \(arguments)")
    }

    var mode: String {
        get throws { try shell("stat -c '%A %U %G' \(program)").output }
    }
}

/// What is done to the program first, and a word of the refusal.
private struct Obstacle: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let word: String
    let command: String

    init(_ command: String, _ word: String) {
        testDescription = "\(command): \(word)"
        self.command = command
        self.word = word
    }

    static let all = [
        Obstacle("printf '#!/bin/sh\\n' > program", "is a script"),
        Obstacle("printf 'text' > program", "is not a program"),
        Obstacle(": > program", "is not a program"),
        Obstacle(
            "rm program && cp /bin/bash program && mv program bash && ln -s bash program",
            "runs what others"
        ),
        Obstacle("chown 60000001 program", "root does not own"),
        Obstacle("chmod 775 program", "other accounts can write"),
        Obstacle("chmod 777 .", "other accounts can write"),
        Obstacle("chmod 1777 .", "other accounts can write"),
        Obstacle("chown 60000001 .", "other accounts can write"),
        Obstacle("chmod 4755 program", "set-user-ID"),
        Obstacle("chgrp 60000001 program && chmod 2755 program", "another group"),
        Obstacle("setcap cap_net_raw+ep program", "capabilities"),
        Obstacle("chmod 644 program", "not every account may run"),
        Obstacle("chmod 750 program", "not every account may run"),
        Obstacle("rm program && mkdir program", "is not a program"),
        Obstacle("rm program && mkfifo program", "is not a program"),
        Obstacle("rm program", "cannot be found"),
    ]
}

@Suite(.enabled(if: isRoot, reason), .requirement("DMN-04")) struct `The command protect` {
    private let bench: Bench

    init() throws { bench = try Bench() }

    @Test func `gives a program the bit, and takes it away`() throws {
        let result = try bench.protect(bench.program)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasPrefix("\(bench.program) is now protected\n"))
        #expect(try bench.mode == "-rwxr-sr-x root keychain-client\n")
        #expect(try bench.protect("--undo \(bench.program)").status == 0)
        #expect(try bench.mode == "-rwxr-xr-x root root\n")
    }

    @Test func `has updates of a package keep the bit`() throws {
        try bench.run("command -v dpkg-statoverride")
        #expect(try bench.protect(bench.program).status == 0)
        let list = "cat \(bench.directory)/dpkg/statoverride"
        #expect(try bench.shell(list).output == "root keychain-client 2755 \(bench.program)\n")
        #expect(try bench.protect("--undo \(bench.program)").status == 0)
        #expect(try bench.shell(list).output == "")
    }

    @Test func `replaces another mode in dpkg's list`() throws {
        let add = "dpkg-statoverride --update --add root root 0555 \(bench.program)"
        try bench.run(add)
        #expect(try bench.protect(bench.program).status == 0)
        #expect(try bench.mode.contains("keychain-client"))
    }

    @Test func `says that a program is protected already, or is not`() throws {
        #expect(try bench.protect("--undo \(bench.program)").status == 2)
        #expect(try bench.protect(bench.program).status == 0)
        let again = try bench.protect(bench.program)
        #expect(again.status == 0)
        #expect(again.output.contains("already protected"))
    }

    @Test func `follows a link and says so`() throws {
        let link = "\(bench.directory)/link"
        symlink(bench.program, link)
        let result = try bench.protect(link)
        #expect(result.output.contains("\(link) is a link to \(bench.program)"))
        #expect(try bench.mode.contains("keychain-client"))
    }

    @Test func `writes JSON`() throws {
        let result = try bench.protect("--json \(bench.program)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        )
        #expect(object["program"] as? String == bench.program)
        #expect(object["protected"] as? Bool == true)
        #expect(object["changedBy"] as? String == "dpkg-statoverride")
    }

    @Test(arguments: Obstacle.all)
    fileprivate func `refuses what would be no protection, in one line`(obstacle: Obstacle) throws {
        try bench.run("cd \(bench.directory) && \(obstacle.command)")
        let before = try bench.mode
        let result = try bench.protect(bench.program)
        #expect(result.status == 2)
        #expect(result.output.contains(obstacle.word), "\(result.output)")
        #expect(result.output.split(separator: "\n").last?.hasPrefix("keychainctl: ") == true)
        #expect(try bench.mode == before)
    }

    @Test func `says how to run it as root`() throws {
        let start = "setpriv --reuid 60000001 --regid 60000001 --clear-groups"
        let result = try bench.shell("\(start) \(program) protect \(bench.program)")
        #expect(result.status == 195)
        #expect(result.output.contains("run: sudo keychainctl protect \(bench.program)"))
        #expect(result.output.contains("errSecWrPerm (-61)"))
    }
}
