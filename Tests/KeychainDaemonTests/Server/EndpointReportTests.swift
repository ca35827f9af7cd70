import Foundation
import Glibc
import TestSupport
import Testing

/// What `status` and `doctor` say of the endpoint, for each kind of it.
@Suite(.requirement("DMN-19")) struct `The endpoint that the command reports` {
    enum Kind: String, CaseIterable, Sendable {
        case embedded, user, system

        /// As `status --json` calls it.
        var identifier: String { self == .embedded ? "embedded" : rawValue + "-daemon" }

        func words(_ socket: String) -> String {
            switch self {
            case .embedded: "endpoint this process; no daemon"
            case .user: "endpoint daemon of this account at \(socket)"
            case .system: "endpoint system daemon at \(socket)"
            }
        }
    }

    /// Starts the endpoint; what makes a program use it.
    private func start(_ kind: Kind) throws -> (bench: DaemonBench, variables: [String: String]) {
        let bench = try DaemonBench(servesAll: kind == .system)
        try bench.writePolicy()
        switch kind {
        case .embedded: return (bench, ["KEYCHAIN_SOCKET": ""])
        case .user: try bench.start("--user")
        case .system: try bench.start("--system", "--state", bench.folder + "/state")
        }
        return (bench, [:])
    }

    /// The members of `status --json`.
    private func members(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func inOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(arguments: Kind.allCases)
    func `is the one that answers`(kind: Kind) throws {
        let (bench, variables) = try start(kind)
        let found = try members(bench.run("status", "--json", variables: variables).output)
        #expect(found["endpoint"] as? String == kind.identifier)
        let status = inOneLine(try bench.run("status", variables: variables).output)
        #expect(status.contains(kind.words(bench.socket)), "\(status)")
        let doctor = inOneLine(try bench.run("doctor", variables: variables).output)
        #expect(kind == .embedded || doctor.contains(kind.words(bench.socket)), "\(doctor)")
    }

    @Test func `judges nobody without a daemon`() throws {
        let (bench, variables) = try start(.embedded)
        let found = try members(bench.run("status", "--json", variables: variables).output)
        #expect(found["level"] is NSNull && found["evidence"] is NSNull)
        let said = try bench.run("status", variables: variables).output
        #expect(!said.contains("this program"))
    }

    @Test(arguments: [Kind.user, .system])
    func `sees the command at a level, by its file`(kind: Kind) throws {
        let (bench, variables) = try start(kind)
        let found = try members(bench.run("status", "--json", variables: variables).output)
        #expect(found["level"] as? String == "observed")
        let evidence = try #require(found["evidence"] as? [String: Any])
        #expect((evidence["executable"] as? String)?.hasSuffix("/keychainctl") == true)
        #expect((evidence["digest"] as? String)?.count == 64)
        #expect(evidence["userID"] as? Int == DaemonBench.account.map(Int.init) ?? Int(geteuid()))
        let status = inOneLine(try bench.run("status", variables: variables).output)
        #expect(status.contains("this program observed ("), "\(status)")
        let doctor = inOneLine(try bench.run("doctor", variables: variables).output)
        #expect(doctor.contains("level observed: "), "\(doctor)")
    }

    @Test(arguments: [Kind.user, .system])
    func `sees a copy at no level, and says why`(kind: Kind) throws {
        let (bench, variables) = try start(kind)
        let copy = bench.folder + "/own/copy"
        try FileManager.default.copyItem(
            atPath: try DaemonBench.program("keychainctl"),
            toPath: copy
        )
        let words = ["status", "--json"]
        let result = try bench.run(words, variables: variables, program: copy)
        let found = try members(result.output)
        #expect(found["level"] as? String == "nobody", "\(result.errors)")
        let evidence = try #require(found["evidence"] as? [String: Any])
        let reasons = try #require(evidence["reasons"] as? [String])
        #expect(reasons.contains { $0.contains("can replace \(copy)") }, "\(reasons)")
        let status = try bench.run(["status"], variables: variables, program: copy)
        #expect(inOneLine(status.output).contains("this program nobody (\(copy)) why"))
        let doctor = try bench.run(["doctor"], variables: variables, program: copy)
        #expect(inOneLine(doctor.output).contains("takes this program for \(copy) (nobody)"))
    }
}
