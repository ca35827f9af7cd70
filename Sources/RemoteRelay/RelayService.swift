import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

/// A service that gives the process at the other end of a connection access to one relay.
///
/// One thread receives, while another one performs a request. So the service notices a stop, or the
/// end of the connection, during a request.
///
/// - Source: Documentation/Spec/relays.md §6.
package final class RelayService: Sendable {
    /// Makes a relay; called only once.
    package typealias Opening = @Sendable (RelayPlace) throws(RelayError) -> any Relay

    private struct State: Sendable {
        var relay: (any Relay)?
        /// Whether a request is still without a reply.
        var isBusy = false
    }

    private let channel: RelayChannel
    private let opening: Opening
    private let state = Mutex(State())

    package init(_ stream: consuming UnixStream, opening: @escaping Opening) {
        channel = RelayChannel(stream)
        self.opening = opening
    }

    /// Serves until the other side ends, or violates the protocol.
    ///
    /// Another thread may still perform a request afterwards.
    package func run() {
        while let request = next(), admit(request) {
            guard request != .stop else { continue }
            guard DetachedThread.start({ self.answer(request) }) else { break }
        }
        channel.end()
        state.withLock { $0.relay }?.interrupt()
    }

    private func next() -> RelayRequest? {
        guard let bytes = try? channel.receive() else { return nil }
        return try? RelayRequest(bytes)
    }

    /// Whether a request is permitted in the current state.
    private func admit(_ request: RelayRequest) -> Bool {
        state.withLock { state in
            if request == .stop {
                state.relay?.interrupt()
                return state.relay != nil
            }
            if case .open = request, state.relay != nil { return false }
            guard !state.isBusy else { return false }
            state.isBusy = true
            return true
        }
    }

    private func answer(_ request: RelayRequest) {
        let reply: RelayReply
        do throws(RelayError) { reply = try carryOut(request) } catch { reply = .failure(error) }
        let bytes: [UInt8]
        do throws(SyncError) { bytes = try reply.bytes() } catch {
            // An entry that does not fit a message was not written by a device.
            let failure = RelayReply.failure(.damaged("it has more than a message has room for"))
            guard let words = try? failure.bytes() else { return channel.end() }
            return finish(words)
        }
        finish(bytes)
    }

    private func finish(_ bytes: [UInt8]) {
        // The next request may arrive as soon as this reply is read.
        state.withLock { $0.isBusy = false }
        // If the other side does not read, it has ended, which the receiving thread notices.
        try? channel.send(bytes, until: .never)
    }

    private func carryOut(_ request: RelayRequest) throws(RelayError) -> RelayReply {
        if case .open(let place) = request {
            let relay = try opening(place)
            state.withLock { $0.relay = relay }
            return .done
        }
        guard let relay = state.withLock({ $0.relay }) else {
            throw .refused("no relay is open")
        }
        switch request {
        case .open, .stop: return .done
        case .prepare: try relay.prepare()
        case .streams: return .streams(try relay.streams())
        case .entries(let stream, let first, let limit):
            let limit = min(Int(limit), RelayMessageLimit.batchByteCount)
            let entries = try relay.entries(of: stream, from: first, byteCountLimit: limit)
            return .entries(Array(entries.prefix(RelayMessageLimit.entryCount)))
        case .append(let entries, let stream, let first):
            try relay.append(contentsOf: entries, to: stream, at: first)
        case .trim(let stream, let number): try relay.trim(stream, below: number)
        case .remove(let stream): try relay.remove(stream)
        case .links: return .links(try relay.links())
        case .stored(let part, let places):
            return .entries(try relay.stored(part, at: places).map { $0.fitting(part) })
        case .store(let part, let bytes, let place): try relay.store(part, bytes, at: place)
        case .wait(let milliseconds):
            return .changed(try relay.waitForChange(upTo: .milliseconds(Int64(milliseconds))))
        }
        return .done
    }
}

extension [UInt8] {
    /// Returns the bytes, or none if they exceed the limit, because then no device wrote them.
    fileprivate func fitting(_ part: LinkPart) -> [UInt8] {
        count <= part.byteCountLimit ? self : []
    }
}
