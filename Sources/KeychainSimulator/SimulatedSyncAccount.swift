import Cryptography
public import Foundation
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import Secrets
import SyncRelay
import Synchronization

// Definitions  "pass": one device reads what the others wrote, and writes what they lack.
//              "seat": a device's place in the account, with its connection to the relay.
// Invariants   (1) Changes happen only in a call of a test, in the order in which devices signed
//                  in. So the same calls have the same outcome.
//              (2) The relay's clock is that of the device for which most time has passed since the
//                  account was made; it never goes back.

/// An account whose devices exchange their synchronizable items, through a relay in memory.
///
/// Items travel as they do between real keychains: sealed and signed. Time passes only when a test
/// says so. Devices exchange items when ``SimulatedDevice/advance(by:)`` lets time pass on one of
/// them, and in ``synchronize()``.
///
/// ```swift
/// let account = SimulatedSyncAccount()
/// try phone.signIn(to: account)
/// try tablet.signIn(to: account)
/// // The phone adds an item with kSecAttrSynchronizable.
/// account.synchronize()
/// // The tablet has it.
/// ```
///
/// A device takes part while it is unlocked and online. The first device makes the account's keys.
/// A further device needs one that has them: it becomes a member as soon as one takes part.
public final class SimulatedSyncAccount: Sendable {
    /// The greatest number of rounds; no account needs more for its devices to agree.
    private static let roundLimit = 64

    /// `@unchecked Sendable` is sound because the account's mutex guards its only value.
    private struct Content: @unchecked Sendable {
        var seats: [SyncSeat] = []
        /// The code with which devices of the account join; nil before the first device.
        var code: SyncCode?
    }

    private let server = MemoryRelayServer()
    private let content = Mutex(Content())

    /// Creates an account without devices.
    public init() {}

    /// Lets all devices that are unlocked and online exchange their items, until each has what it
    /// can get.
    ///
    /// No time passes. Changes that a ``SimulatedNetwork/delay`` holds back do not arrive.
    public func synchronize() { content.withLock { settle(&$0) } }

    /// The relay's complete content, which its operator can see.
    public var relayContent: [Data] {
        content.withLock { content in
            guard let account = content.code.flatMap({ try? $0.accountName() }),
                let relay = try? MemoryRelay(server, account),
                let streams = try? relay.streams()
            else { return [] }
            let places = (try? relay.links()) ?? []
            let links = places.compactMap { place in (try? relay.link(at: place)) ?? nil }
            let entries = streams.sorted { $0.key < $1.key }.flatMap { stream, range in
                let entries = try? relay.entries(
                    of: stream,
                    from: range.lowerBound,
                    byteCountLimit: .max
                )
                return (entries ?? []).map { Data($0) }
            }
            return entries + links.map { Data($0) }
        }
    }
}

// The account's devices.
extension SimulatedSyncAccount {
    func join(_ device: SimulatedDevice) throws(SimulatorError) -> SyncSeatID {
        let result = content.withLock { content -> Result<SyncSeatID, SimulatorError> in
            let seat = SyncSeat(device, at: server.now)
            do throws(SyncFailure) {
                content.code = try seat.enter(content.code, on: server, number: content.seats.count)
            } catch {
                return .failure(SimulatorError(error))
            }
            content.seats.append(seat)
            settle(&content)
            return .success(seat.id)
        }
        return try result.get()
    }

    /// Removes a device, and tells the others if it is online; its items stay.
    func leave(_ id: SyncSeatID) {
        content.withLock { content in
            guard let place = content.seats.firstIndex(where: { $0.id == id }) else { return }
            content.seats.remove(at: place).leave()
            settle(&content)
        }
    }

    /// Forgets an erased device without telling the others.
    func forget(_ id: SyncSeatID) {
        content.withLock { $0.seats.removeAll { $0.id == id } }
    }

    /// Advances the relay's clock after time has passed on a device.
    func timePassed() {
        content.withLock { content in
            let latest = content.seats.map(\.elapsed).max() ?? .zero
            if latest > server.now { server.advance(by: latest - server.now) }
            settle(&content)
        }
    }

    func seat<R: Sendable>(_ id: SyncSeatID, _ body: @Sendable (SyncSeat) -> R) -> R? {
        content.withLock { content in content.seats.first { $0.id == id }.map { body($0) } }
    }

    private func settle(_ content: inout Content) {
        for _ in 0..<Self.roundLimit {
            var hasChanged = false
            for seat in content.seats {
                if seat.pass(approvedBy: content.seats) { hasChanged = true }
            }
            if !hasChanged { return }
        }
    }
}

/// The identity of a seat.
struct SyncSeatID: Sendable, Hashable {
    private let object: ObjectIdentifier

    init(_ seat: SyncSeat) { object = ObjectIdentifier(seat) }
}
