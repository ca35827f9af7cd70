import Foundation
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainWire
import Secrets
import Synchronization
import TestSupport
import Testing

/// A person who types the same words whatever is asked.
private struct Typist: Prompter {
    func answer(_ prompt: Prompt) -> PromptAnswer {
        .typed(SharedSecret(Secret(copying: [UInt8]("typed".utf8))))
    }
}

@Suite struct `A client of a daemon` {
    private static let challenge = Challenge(
        factor: .passcode,
        prompt: Prompt(.passcode),
        lockCount: 0
    )

    private func endpoint(
        _ daemon: FakeDaemon,
        prompter: (any Prompter)? = nil,
        note: @escaping @Sendable (Finding) -> Void = { _ in }
    ) -> DaemonEndpoint {
        DaemonEndpoint(path: daemon.path, prompter: prompter, note: note)
    }

    /// What a call fails with.
    private func failure(
        of endpoint: DaemonEndpoint,
        _ request: Request = .device(.status)
    ) -> KeychainError? {
        do throws(KeychainError) {
            _ = try endpoint.send(request)
            return nil
        } catch { return error }
    }

    @Test func `connects with its first call, and uses the connection again`() throws {
        let daemon = try FakeDaemon()
        let endpoint = endpoint(daemon)
        #expect(daemon.seen.withLock { $0.connectionCount } == 0)
        for _ in 0..<3 { _ = try endpoint.send(.device(.lock)) }
        #expect(daemon.seen.withLock { $0.connectionCount } == 1)
        #expect(endpoint.profiles.behavior == .documented)
        #expect(
            endpoint.endpointDescription == EndpointDescription(.userDaemon, place: daemon.path)
        )
    }

    @Test func `passes on what was noticed, and the error`() throws {
        let finding = Finding(.refusal, verb: .device, item: "device", status: .authFailed)
        let daemon = try FakeDaemon { _, _ in
            .send(.failure(KeychainError(.authFailed, "wrong"), [finding]))
        }
        let noted = Mutex<[Finding]>([])
        let endpoint = endpoint(daemon) { finding in noted.withLock { $0.append(finding) } }
        #expect(failure(of: endpoint)?.reason == "wrong")
        #expect(noted.withLock { $0 } == [finding])
    }

    @Test func `answers a challenge where it has somebody to ask`() throws {
        let answers = Mutex<[String]>([])
        let daemon = try FakeDaemon { message, _ in
            guard case .answer(.typed(let text)) = message else {
                return .send(.challenge(Self.challenge))
            }
            let words = String(decoding: text.secret.copyBytesUnprotected(), as: UTF8.self)
            answers.withLock { $0.append(words) }
            return .done
        }
        #expect(failure(of: endpoint(daemon, prompter: Typist())) == nil)
        #expect(answers.withLock { $0 } == ["typed"])
        #expect(daemon.seen.withLock { $0.hellos.map(\.answersPrompts) } == [true])
    }

    @Test func `keeps an answer that nobody wants any more`() throws {
        let daemon = try FakeDaemon { _, _ in
            .sendAll([
                .challenge(Self.challenge), .failure(KeychainError(.userCanceled, "over"), []),
            ])
        }
        #expect(failure(of: endpoint(daemon, prompter: Typist()))?.status == .userCanceled)
        #expect(daemon.seen.withLock { $0.messageCount } <= 2)
    }

    @Test func `calls again, once, when the daemon did not take the call`() throws {
        let daemon = try FakeDaemon(closingAtOnce: { $0 == 1 }, action: { _, _ in .done })
        let endpoint = endpoint(daemon)
        // The first connection is made for the welcome, and closed while it is idle.
        _ = try endpoint.welcome()
        #expect(failure(of: endpoint) == nil)
        #expect(daemon.seen.withLock { $0.connectionCount } == 2)
        #expect(daemon.seen.withLock { $0.messageCount } == 1)
    }

    @Test func `never sends a call again that may have taken effect`() throws {
        let daemon = try FakeDaemon { _, _ in .close }
        let endpoint = endpoint(daemon)
        let error = failure(of: endpoint)
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.contains("may or may not have taken effect") == true)
        #expect(daemon.seen.withLock { $0.messageCount } == 1)
    }

    @Test(.requirement("DMN-08")) func `is refused where nobody listens`() {
        let nowhere = FileManager.default.temporaryDirectory.path + "/no-\(UUID())"
        let endpoint = DaemonEndpoint(path: nowhere, note: { _ in })
        let error = failure(of: endpoint)
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.contains(nowhere) == true)
    }

    @Test(.requirement("HRD-05"), arguments: [1, 3])
    func `locks a daemon that had no room for it at first`(count: Int) throws {
        let busy = KeychainError(.notAvailable, "64 connections, which is the limit")
        let daemon = try FakeDaemon(refusing: { $0 <= count ? busy : nil })
        #expect(failure(of: endpoint(daemon), .device(.lock)) == nil)
        #expect(daemon.seen.withLock { $0.connectionCount } == count + 1)
    }

    @Test func `asks a daemon without room once for anything else`() throws {
        let busy = KeychainError(.notAvailable, "64 connections, which is the limit")
        let daemon = try FakeDaemon(refusing: { _ in busy })
        #expect(failure(of: endpoint(daemon))?.reason == busy.reason)
        #expect(daemon.seen.withLock { $0.connectionCount } == 1)
    }

    @Test func `does not lock a daemon that refuses for another reason again`() throws {
        let refusal = KeychainError(.param, "no such protocol")
        let daemon = try FakeDaemon(refusing: { _ in refusal })
        #expect(failure(of: endpoint(daemon), .device(.lock))?.status == .param)
        #expect(daemon.seen.withLock { $0.connectionCount } == 1)
    }

    @Test func `says why it was refused`() throws {
        let daemon = try FakeDaemon { _, _ in
            .send(.refusal(KeychainError(.notAvailable, "too many")))
        }
        #expect(failure(of: endpoint(daemon))?.reason == "too many")
    }

    @Test(.requirement("DMN-01"))
    func `refuses a call that is too large as an embedded keychain does`() throws {
        let daemon = try FakeDaemon()
        let endpoint = endpoint(daemon)
        let value = [UInt8](repeating: 0, count: FrameHeader.bodyByteCountLimit)
        let add = Request.items(.add([QueryKey.valueData.rawValue: .data(value)]))
        #expect(failure(of: endpoint, add)?.status == .dataTooLarge)
        // Nothing was sent, so the connection serves the next call.
        #expect(failure(of: endpoint) == nil)
        #expect(daemon.seen.withLock { $0.connectionCount } == 1)
    }

    @Test func `works in fifty threads at once, over a few connections`() throws {
        let daemon = try FakeDaemon()
        let endpoint = endpoint(daemon)
        let done = DispatchGroup()
        let failures = Mutex(0)
        for _ in 0..<50 {
            done.enter()
            Thread.detachNewThread {
                for _ in 0..<20 where (try? endpoint.send(.device(.status))) == nil {
                    failures.withLock { $0 += 1 }
                }
                done.leave()
            }
        }
        done.wait()
        #expect(failures.withLock { $0 } == 0)
        #expect(daemon.seen.withLock { $0.messageCount } == 1000)
        #expect(daemon.seen.withLock { $0.mostServed } <= 24)
    }

    @Test func `ends a context, and locks, although every other connection waits`() throws {
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let daemon = try FakeDaemon { message, _ in
            switch message {
            case .request(.authenticate): return .send(.reply(.authentication(.done), []))
            case .request(.device(.lock)): return .done
            default:
                entered.signal()
                gate.wait()
                return .done
            }
        }
        let endpoint = endpoint(daemon)
        let done = DispatchGroup()
        for _ in 0..<30 {
            done.enter()
            Thread.detachNewThread {
                _ = try? endpoint.send(.device(.status))
                done.leave()
            }
        }
        for _ in 0..<24 { entered.wait() }
        guard
            case .authentication(.done) = try endpoint.send(Request.authenticate(.end(SessionID())))
        else {
            Issue.record("the context did not end")
            return
        }
        #expect(failure(of: endpoint, .device(.lock)) == nil)
        for _ in 0..<30 { gate.signal() }
        done.wait()
    }

    @Test(.requirement("DMN-03")) func `connects anew in a forked child`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try FakeDaemon()
            let endpoint = DaemonEndpoint(path: daemon.path, note: { _ in })
            _ = try endpoint.send(.device(.lock))
            let symbol = try #require(dlsym(nil, "fork"))
            let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
            if child == 0 {
                let isSent = (try? endpoint.send(.device(.lock))) != nil
                _exit(isSent ? 0 : 1)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            try #require(status == 0)
            _ = try endpoint.send(.device(.lock))
            try #require(daemon.seen.withLock { $0.connectionCount } == 2)
            // The child's session is its own.
            try #require(daemon.seen.withLock { $0.hellos.allSatisfy { $0.token == nil } })
        }
    }
}
