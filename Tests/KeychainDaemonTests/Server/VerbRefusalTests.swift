import Foundation
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import MessageTestSupport
import TestSupport
import Testing

/// A request of each kind, and its row.
private struct Sample: Sendable, CustomTestStringConvertible {
    let verb: RequestVerb
    let send: @Sendable (DaemonEndpoint) throws(KeychainError) -> Void

    var testDescription: String { verb.word }

    private init(_ request: Request) {
        verb = request.verb
        send = { endpoint throws(KeychainError) in _ = try endpoint.send(request) }
    }

    private init(_ request: DaemonRequest) {
        verb = request.verb
        send = { endpoint throws(KeychainError) in _ = try endpoint.ask(request) }
    }

    static let all: [Sample] = {
        let requests: [Request] =
            MessageSamples.device.map(Request.device)
            + MessageSamples.maintenance.map(Request.maintenance)
            + MessageSamples.synchronizations.map(Request.synchronization)
        return requests.map(Sample.init) + MessageSamples.daemonRequests.map(Sample.init)
    }()

    /// Those that not every program may send.
    static let forFew = all.filter { $0.verb.facts.asker != .anyProgram }
}

/// The program of these tests, which no policy knows, at the socket of a daemon's process.
@Suite(.enabled(if: geteuid() == 0, "a daemon of all accounts needs root"), .requirement("HRD-09"))
struct `A program that no policy knows` {
    private static let passcode = "correct-horse-battery"
    private let bench: DaemonBench
    private let endpoint: DaemonEndpoint

    init() throws {
        bench = try DaemonBench(servesAll: true)
        try bench.writePolicy()
        try bench.start("--system", "--state", bench.folder + "/state")
        endpoint = DaemonEndpoint(path: bench.socket, note: { _ in })
    }

    private func status(_ sample: Sample) -> SecurityStatus {
        do throws(KeychainError) {
            try sample.send(endpoint)
            return .success
        } catch { return error.status }
    }

    @Test func `is refused each request that is for another one, and the log says so`() throws {
        let statuses = Dictionary(grouping: Sample.forFew) { status($0) }
        let words = statuses.mapValues { Set($0.map(\.verb.word)).sorted() }
        #expect(words[.unimplemented] == ["simulate"])
        #expect(Set(words.keys) == [.unimplemented, .missingEntitlement])
        let expected = Set(Sample.forFew.map(\.verb.word)).subtracting(["simulate"])
        #expect(words[.missingEntitlement] == expected.sorted())
        // Each refusal has a line, except of what looks at a state, or what a daemon never does.
        let silent = Set(Sample.forFew.filter { $0.verb.facts.line == .never }.map(\.verb.word))
        #expect(try deniedVerbs() == expected.subtracting(silent))
    }

    /// The verbs in root's log that were refused to this program.
    ///
    /// They are read from the file: root's own `keychainctl` is nobody, and may not read the log.
    private func deniedVerbs() throws -> Set<String> {
        let path = bench.folder + "/state/0/log/00000000000000000001.log"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let status = String(SecurityStatus.missingEntitlement.rawValue)
        let denied = lines.map { $0.split(separator: "\t") }
            .filter { $0.count == 11 && $0[8] == status }
        return Set(denied.map { String($0[4]) })
    }

    @Test func `is refused what weakens the locks, and a passcode of others`() throws {
        let set = try bench.run("passcode", "set", input: Self.passcode + "\n", account: nil)
        try #require(set.status == 0, "\(set.errors)")
        let limits = try bench.run("set-keychain-settings", "-u", "-t", "9", account: nil)
        try #require(limits.status == 0, "\(limits.errors)")
        let weaker = LockSettings()
        let error = #expect(throws: KeychainError.self) {
            try endpoint.send(.device(.setLockSettings(weaker)))
        }
        #expect(error?.status == .authFailed)
        let wrong = MessageSamples.device.filter { request in
            switch request {
            case .unlock, .setPasscode, .removePasscode: true
            case .status, .lock, .setLockSettings: false
            }
        }
        let statuses = wrong.map { request -> SecurityStatus in
            do throws(KeychainError) {
                _ = try endpoint.send(.device(request))
                return .success
            } catch { return error.status }
        }
        #expect(statuses == [.authFailed, .authFailed, .authFailed])
    }
}
