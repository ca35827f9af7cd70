import Foundation
import Glibc
import KeychainSync
import Testing

@testable import SyncRelay

extension RelayTests {
    /// How a relay tells of changes, and what becomes of it when something ends in the middle.
    @Suite("that is waited for", .serialized) struct Waiting {
        @Test(arguments: RelayKind.different)
        func `wakes who waits when somebody appends`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let (writer, reader) = (try stage.relay(), try stage.relay())
            #expect(try reader.streams() == [:])
            let first = Errand { try reader.waitForChange(upTo: RelayKind.patience) }
            try writer.append([1], to: stage.stream, at: 0)
            #expect(try first.value())
            #expect(try reader.streams() == [stage.stream: 0..<1])
            let second = Errand { try reader.waitForChange(upTo: RelayKind.patience) }
            try writer.append([2], to: stage.stream, at: 1)
            #expect(try second.value())
            #expect(try reader.streams() == [stage.stream: 0..<2])
        }

        @Test(arguments: RelayKind.different)
        func `tells of what was appended before the wait`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let (writer, reader) = (try stage.relay(), try stage.relay())
            #expect(try reader.streams() == [:])
            try writer.append([1], to: stage.stream, at: 0)
            #expect(try reader.waitForChange(upTo: RelayKind.patience))
        }

        @Test(arguments: RelayKind.different)
        func `waits no longer than it may`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            try relay.append([1], to: stage.stream, at: 0)
            #expect(try relay.streams() == [stage.stream: 0..<1])
            #expect(try !relay.waitForChange(upTo: .zero))
            let stranger = try RelayStage(kind)
            try stranger.relay().append([1], to: stage.stream, at: 0)
            #expect(try !relay.waitForChange(upTo: .zero))
        }

        @Test(arguments: RelayKind.different)
        func `stops waiting when it is interrupted`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            #expect(try relay.streams() == [:])
            relay.interrupt()
            #expect(try !relay.waitForChange(upTo: RelayKind.patience))
            let wait = Errand { try relay.waitForChange(upTo: RelayKind.patience) }
            relay.interrupt()
            #expect(try !wait.value())
        }

        @Test(arguments: RelayKind.distant)
        func `goes on after its server was away`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let (relay, writer) = (try stage.relay(), try stage.relay())
            try relay.append(entry(0), to: stage.stream, at: 0)
            #expect(try relay.streams() == [stage.stream: 0..<1])
            let wait = Errand { try relay.waitForChange(upTo: RelayKind.patience) }
            try stage.stop()
            let stream = stage.stream
            let failure = relay.failure { relay throws(RelayError) in
                try relay.append(entry(1), to: stream, at: 1)
            }
            #expect(failure.isUnreachable)
            let reading = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
            #expect(reading.isUnreachable)
            try stage.start()
            try writer.append(entry(1), to: stage.stream, at: 1)
            #expect(try wait.value())
            #expect(try relay.all(stage.stream) == entries(0..<2))
            try relay.append(entry(2), to: stage.stream, at: 2)
            #expect(try writer.all(stage.stream) == entries(0..<3))
        }

        @Test(arguments: RelayKind.durable)
        func `has whole entries after a writer was killed`(kind: RelayKind) async throws {
            let stage = try RelayStage(kind)
            try stage.leaveNote()
            defer { RelayStage.removeNote() }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let relay = try RelayStage.noted()
                appendUntilKilled(relay)
            }
            let relay = try stage.relay()
            let kept = try relay.all(stage.stream)
            #expect(kept.count >= killedAfter)
            #expect(kept == entries(0..<kept.count, byteCount: killedByteCount))
            // The server may carry out what it got before the process ended: the same entry.
            let next = entry(kept.count, byteCount: killedByteCount)
            try relay.append(next, to: stage.stream, at: UInt64(kept.count))
            #expect(try relay.all(stage.stream).count == kept.count + 1)
        }
    }
}

private let killedAfter = 8
private let killedByteCount = 40_000

/// Appends entries until another thread, which waits for a few of them, kills the process.
private func appendUntilKilled(_ relay: any Relay) {
    let isTime = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        isTime.wait()
        kill(getpid(), SIGKILL)
    }
    for number in 0..<100_000 {
        let bytes = entry(number, byteCount: killedByteCount)
        do {
            try relay.append(bytes, to: RelayStage.name(1), at: UInt64(number))
        } catch {
            exit(1)
        }
        if number + 1 == killedAfter { isTime.signal() }
    }
}

extension RelayError? {
    fileprivate var isUnreachable: Bool {
        if case .unreachable = self { true } else { false }
    }
}
