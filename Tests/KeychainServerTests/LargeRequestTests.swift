import Dispatch
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainWire
import MessageTransport
import Secrets
import Synchronization
import TestSupport
import Testing

/// Programs of one person that send much at once.
@Suite(.requirement("HRD-07"), .timeLimit(.minutes(10))) struct `Large requests of one person` {
    private static let large = Request.device(
        .unlock(passcode: SharedSecret(Secret(copying: [UInt8](repeating: 7, count: 1 << 20))))
    )

    @Test func `wait for each other, and are all carried out`() throws {
        var limits = ServerLimits()
        limits.largeRequestByteCount = 100_000
        // One of them, and no other beside it.
        limits.requestByteCount = 1_500_000
        let rig = try ServerRig(limits: limits)
        let clients = try (0..<8).map { _ in try rig.client() }
        let statuses = Mutex<[SecurityStatus]>([])
        DispatchQueue.concurrentPerform(iterations: clients.count) { index in
            try? clients[index].send(.request(Self.large))
            guard case .failure(let error, _)? = try? clients[index].receive() else { return }
            statuses.withLock { $0.append(error.status) }
        }
        // Whoever answers none of its challenges hears this of the service.
        #expect(statuses.withLock { $0 } == Array(repeating: .userCanceled, count: 8))
    }
}
