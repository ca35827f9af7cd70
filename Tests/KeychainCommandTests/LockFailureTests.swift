import KeychainHost
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

/// A keychain of another process, which fails every lock.
private struct Unlockable: Endpoint {
    let keychain: any Endpoint
    let error: KeychainError
    let kind: EndpointDescription.Kind

    var profiles: Profiles { keychain.profiles }
    var endpointDescription: EndpointDescription { EndpointDescription(kind, place: "/run/x") }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        if case .device(.lock) = request { throw error }
        return try keychain.send(request)
    }

    func note(_ finding: Finding) {}
}

/// How a lock fails, and where.
private struct Failure: CustomTestStringConvertible, Sendable {
    let error: KeychainError
    let name: String
    let kind: EndpointDescription.Kind

    var testDescription: String { "\(kind), \(name)" }

    static let all: [Failure] = {
        let errors: [(KeychainError, String)] = [
            (.init(.notAvailable, "64 connections, which is the limit"), "errSecNotAvailable"),
            (.init(.interactionNotAllowed, "it is locked"), "errSecInteractionNotAllowed"),
            (.init(.allocate, "too many calls wait"), "errSecAllocate"),
            (.init(.io, "the disk is gone"), "errSecIO"),
        ]
        let kinds: [EndpointDescription.Kind] = [.systemDaemon, .userDaemon, .simulated]
        return kinds.flatMap { kind in
            errors.map { Failure(error: $0.0, name: $0.1, kind: kind) }
        }
    }()
}

@Suite(.requirement("LCK-02")) struct `A lock that another process did not make` {
    @Test(arguments: Failure.all, [[], ["--when", "session"], ["--when", "sleep"]])
    fileprivate func `fails with its error, and is called no lock`(
        failure: Failure,
        words: [String]
    ) throws {
        let keychain = Unlockable(
            keychain: try TestKeychain.endpoint(),
            error: failure.error,
            kind: failure.kind
        )
        let settings = DeviceRequest.setLockSettings(LockSettings(onSleep: true))
        _ = try keychain.send(.device(settings))
        let terminal = TestTerminal()
        let line = ["keychainctl", "lock-keychain"] + words
        #expect(TestKeychain.run(line, on: keychain, terminal) != 0)
        let text = terminal.diagnosticsText
        let number = "\(failure.name) (\(failure.error.status.rawValue))"
        #expect(text.contains(number), "\(text)")
        #expect(text.contains("may still be unlocked: \(failure.error.reason)"), "\(text)")
        #expect(!text.contains("is locked now"), "\(text)")
    }
}
