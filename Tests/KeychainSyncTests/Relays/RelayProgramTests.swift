import Foundation
import Glibc
import KeychainSockets
import KeychainSync
import TestSupport
import Testing

@testable import RemoteRelay
@testable import SyncRelay

private let account = AccountName(unchecked: [UInt8](repeating: 9, count: 16))
/// A server that is never there.
private let place = RelayPlace(.postgreSQL, account, ["host=/nonexistent"])

/// How a child ended, once it has; it can still be waited for.
private func end(of process: pid_t) -> (code: Int32, status: Int32) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return (information.si_code, information._sifields._sigchld.si_status)
}

/// Starts the program, and opens a relay in it.
private func opened() throws -> (peer: RelayPeer, process: pid_t) {
    let peer = try RelayProgram(path: relayProgramPath).launch()
    try peer.channel.send(RelayRequest.open(place).bytes(), until: .never)
    #expect(try RelayReply(peer.channel.receive()) == .done)
    return (peer, try #require(peer.process))
}

/// Requests in the middle of which something ends.
private let requests: [(label: String, RelayRequest?)] = [
    ("nothing", nil), ("a wait", .wait(milliseconds: 600_000)), ("a request", .streams),
]

/// What the program does not allow after it opened a relay.
private let wrong: [(label: String, bytes: [UInt8])] = [
    ("an empty frame", [0, 0, 0, 0]),
    ("a frame that is too large", [255, 255, 255, 255, 1]),
    ("an unknown request", [0, 0, 0, 1, 99]),
    ("two requests at once", [0, 0, 0, 5, 7, 0, 9, 39, 192, 0, 0, 0, 1, 3]),
]

@Suite struct `The program that serves relays` {
    @Test(arguments: requests) func `ends when its connection ends`(
        label: String,
        request: RelayRequest?
    ) throws {
        let (peer, process) = try opened()
        if let request { try peer.channel.send(request.bytes(), until: .never) }
        peer.channel.end()
        let (code, status) = end(of: process)
        #expect(code == CLD_EXITED && status == 0)
    }

    @Test(arguments: wrong) func `ends when it is asked for what is not allowed`(
        label: String,
        bytes: [UInt8]
    ) throws {
        let (peer, process) = try opened()
        try peer.channel.send(bytes: bytes, until: .never)
        #expect(end(of: process).code == CLD_EXITED)
    }

    @Test func `opens one relay`() throws {
        let (peer, process) = try opened()
        try peer.channel.send(RelayRequest.open(place).bytes(), until: .never)
        #expect(end(of: process).code == CLD_EXITED)
    }

    @Test(arguments: requests) func `may be killed at any moment`(
        label: String,
        request: RelayRequest?
    ) throws {
        let (peer, process) = try opened()
        if let request { try peer.channel.send(request.bytes(), until: .never) }
        kill(process, SIGKILL)
        #expect(end(of: process).code == CLD_KILLED)
        #expect(throws: RelayChannel.Failure.ended) {
            while true { _ = try peer.channel.receive(until: .never) }
        }
    }

    @Test func `is started again after it was killed`() throws {
        let launcher = KillingLauncher(program: RelayProgram(path: relayProgramPath))
        let relay = RemoteRelay(place, launcher)
        let first = relay.failure { relay throws(RelayError) in try relay.prepare() }
        #expect(first == .unreachable("keychain-relay ended"))
        // The server is not there, which the second process says.
        let second = relay.failure { relay throws(RelayError) in try relay.prepare() }
        #expect(second?.words.contains("/nonexistent") == true || second?.isRefusal == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may look at the program"))
    func `has one connection, and the variables of relays`() throws {
        let environment = ["HOME=/tmp", "PGHOST=/nonexistent", "https_proxy=http://proxy:1"]
        let program = RelayProgram(path: relayProgramPath, environment: environment)
        let peer = try program.launch()
        try peer.channel.send(RelayRequest.open(place).bytes(), until: .never)
        #expect(try RelayReply(peer.channel.receive()) == .done)
        let folder = "/proc/\(try #require(peer.process))"
        let numbers = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
        // The program's own signal for waits is an eventfd.
        let targets = try numbers.map {
            try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/" + $0)
        }
        #expect(targets.count { $0.hasPrefix("socket:") } == 1)
        let others = targets.filter { !$0.hasPrefix("socket:") && !$0.hasPrefix("anon_inode:") }
        #expect(Set(others).isSubset(of: ["/dev/null", try standardError()]))
        let bytes = try #require(FileManager.default.contents(atPath: folder + "/environ"))
        let settings = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #expect(settings == ["HOME=/tmp", "PGHOST=/nonexistent"])
    }

    private func standardError() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/2")
    }

    @Test(arguments: [[], ["--serve"]]) func `is started by nobody else`(
        arguments: [String]
    ) throws {
        #expect(try runProgram([relayProgramPath] + arguments).status == 2)
    }
}

@Suite struct `The program that synchronizes` {
    /// What the loader loads for a program.
    private func libraries(_ program: String) throws -> Set<String> {
        let words = [productsPath + "/" + program]
        let result = try runProgram(words, environment: ["LD_TRACE_LOADED_OBJECTS": "1"])
        let lines = result.output.split(separator: "\n")
        return Set(lines.compactMap { $0.split(separator: " ").first.map { $0.trimmed } })
    }

    @Test func `loads no library but those of the command`() throws {
        let own = try libraries("keychain-sync")
        #expect(try own.isSubset(of: libraries("keychainctl")), "\(own)")
        #expect(own.contains { $0.hasPrefix("libcrypto.so") })
    }

    @Test(arguments: ["libpq.so", "libcurl"]) func `knows no library of a relay`(
        name: String
    ) throws {
        let path = productsPath + "/keychain-sync"
        let program = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        #expect(program.range(of: Data(name.utf8)) == nil)
        let relay = try Data(contentsOf: URL(filePath: relayProgramPath), options: .mappedIfSafe)
        #expect(relay.range(of: Data(name.utf8)) != nil)
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension RelayError {
    /// libpq is not installed.
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}

/// Kills the first process when it has opened its relay.
private struct KillingLauncher: RelayLauncher {
    let program: RelayProgram
    let count = ScriptedLauncher.Counter()

    func launch() throws(RelayError) -> RelayPeer {
        let peer = try program.launch()
        if count.value == 0, let process = peer.process { kill(process, SIGKILL) }
        count.add()
        return peer
    }
}
