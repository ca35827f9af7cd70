import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

/// A relay that is an etcd cluster, reached through its JSON gateway.
///
/// ```swift
/// var place = EtcdPlace(["https://etcd.example:2379"])
/// place.credentialsFile = path
/// let relay = try EtcdRelay(place, account)
/// ```
/// etcd takes 1.5 MiB in one request, so entries are smaller here than elsewhere.
///
/// - Source: Documentation/Spec/relays.md §4.
package final class EtcdRelay: Relay {
    /// What fits into a request with the keys beside it.
    package let entryByteCountLimit = 1_500_000

    /// etcd takes 128 operations in one transaction; one is for the record.
    private static let batchCount = 64
    private static let batchByteCount = 1_000_000
    /// How often a transaction is tried whose stream another process changes.
    private static let attemptCount = 16

    private struct Memory: Sendable {
        /// The revision of the store that `streams` returned.
        var seen: Int64?
        /// Revisions that this value made.
        var own: Set<Int64> = []
        /// Streams as they were when this value wrote them last.
        var records: [PeerName: EtcdRequests.Record] = [:]
    }

    private let client: EtcdClient
    private let requests: EtcdRequests
    private let memory = Mutex(Memory())
    private let interruption: RelayWait

    /// A relay in this cluster, which is reached when it is needed.
    package init(_ place: EtcdPlace, _ account: AccountName) throws(RelayError) {
        client = EtcdClient(place)
        requests = EtcdRequests(account)
        interruption = try RelayWait()
    }

    /// Looks whether the cluster can be read; there is nothing to make.
    package func prepare() throws(RelayError) {
        _ = try client.send(requests.allRecords, to: "kv/range")
    }

    package func streams() throws(RelayError) -> [PeerName: Range<UInt64>] {
        let answer = try client.send(requests.allRecords, to: "kv/range")
        var ranges: [PeerName: Range<UInt64>] = [:]
        for pair in answer.pairs {
            guard let stream = requests.stream(ofRecord: pair.key) else { continue }
            guard let range = EtcdRequests.range(pair.value) else {
                throw .damaged("the record of stream \(stream.hexadecimal)")
            }
            ranges[stream] = range
        }
        memory.withLock { memory in
            memory.seen = answer.revision
            memory.own = memory.own.filter { $0 > answer.revision }
        }
        return ranges
    }

    package func entries(
        of stream: PeerName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        guard first < RelayLimit.number else { return [] }
        var entries: [[UInt8]] = []
        var byteCount = 0
        var limit = 16
        while entries.isEmpty || byteCount < byteCountLimit {
            let next = first + UInt64(entries.count)
            let request = requests.readEntries(stream, from: next, limit: limit)
            let pairs = try client.send(request, to: "kv/range").pairs
            for pair in pairs where entries.isEmpty || byteCount < byteCountLimit {
                let number = first + UInt64(entries.count)
                // Numbers after a hole are not those that a reader asks for.
                guard pair.key == Array(requests.entry(stream, number).utf8) else { return entries }
                entries.append(pair.value)
                byteCount += pair.value.count
            }
            guard pairs.count == limit else { break }
            let mean = max(1, byteCount / max(1, entries.count))
            limit = min(512, max(1, (byteCountLimit - byteCount) / mean))
        }
        return entries
    }

    package func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError) {
        try append(contentsOf: [entry], to: stream, at: number)
    }

    package func append(
        contentsOf entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError) {
        guard entries.allSatisfy({ $0.count <= entryByteCountLimit }) else {
            throw .tooLarge(limit: entryByteCountLimit)
        }
        try RelayLimit.check(first, count: entries.count)
        var rest = entries[...]
        while !rest.isEmpty {
            var byteCount = 0
            let batch = rest.prefix(Self.batchCount).prefix { entry in
                defer { byteCount += entry.count }
                return byteCount == 0 || byteCount + entry.count <= Self.batchByteCount
            }
            try appendBatch(Array(batch), to: stream, at: first + UInt64(batch.startIndex))
            rest = rest[batch.endIndex...]
        }
    }

    package func trim(_ stream: PeerName, below number: UInt64) throws(RelayError) {
        for _ in 0..<Self.attemptCount {
            guard let record = try record(stream) else { return }
            let first = min(number, record.range.upperBound - 1)
            guard first > record.range.lowerBound else { return }
            let request = requests.trim(stream, below: first, record)
            if try change(stream, first..<record.range.upperBound, request) { return }
        }
        throw .unreachable("another process changes the stream all the time")
    }

    package func interrupt() { interruption.interrupt() }

    // MARK: - Appending

    private func appendBatch(
        _ entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError) {
        var record = memory.withLock { $0.records[stream] }
        if record?.range.upperBound != first { record = try self.record(stream) }
        for _ in 0..<Self.attemptCount {
            let end = record?.range.upperBound ?? first
            guard first <= end else { throw .gap(stream, first) }
            let presentCount = min(Int(end - first), entries.count)
            if presentCount > 0, let record {
                guard first >= record.range.lowerBound else { throw .gap(stream, first) }
                try compare(entries.prefix(presentCount), stream, first)
            }
            let added = Array(entries[presentCount...])
            guard !added.isEmpty else { return }
            let number = first + UInt64(presentCount)
            let range = (record?.range.lowerBound ?? first)..<number + UInt64(added.count)
            let request = requests.append(added, to: stream, at: number, record)
            if try change(stream, range, request) { return }
            record = try self.record(stream)
        }
        throw .damaged("entries of stream \(stream.hexadecimal) do not fit its record")
    }

    /// Compares entries that the relay has.
    private func compare(
        _ entries: ArraySlice<[UInt8]>,
        _ stream: PeerName,
        _ first: UInt64
    ) throws(RelayError) {
        let request = requests.readEntries(stream, from: first, limit: entries.count)
        let pairs = try client.send(request, to: "kv/range").pairs
        for (offset, entry) in entries.enumerated() {
            let number = first + UInt64(offset)
            guard pairs.indices.contains(offset),
                pairs[offset].key == Array(requests.entry(stream, number).utf8)
            else { throw .damaged("entry \(number) of stream \(stream.hexadecimal) is missing") }
            guard pairs[offset].value == entry else { throw .occupied(stream, number) }
        }
    }

    private func record(_ stream: PeerName) throws(RelayError) -> EtcdRequests.Record? {
        let answer = try client.send(requests.readRecord(stream), to: "kv/range")
        guard let pair = answer.pairs.first else { return nil }
        guard let range = EtcdRequests.range(pair.value) else {
            throw .damaged("the record of stream \(stream.hexadecimal)")
        }
        return EtcdRequests.Record(range: range, revision: pair.revision)
    }

    /// Sends a transaction that writes a stream's record.
    ///
    /// - Returns: Whether the stream was as it was thought to be.
    private func change(
        _ stream: PeerName,
        _ range: Range<UInt64>,
        _ request: String
    ) throws(RelayError) -> Bool {
        memory.withLock { $0.records[stream] = nil }
        let answer = try client.send(request, to: "kv/txn")
        guard answer.isSuccess else { return false }
        let record = EtcdRequests.Record(range: range, revision: answer.revision)
        memory.withLock { memory in
            memory.records[stream] = record
            memory.own.insert(answer.revision)
        }
        return true
    }

    // MARK: - Waiting

    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        guard let seen = memory.withLock({ $0.seen }) else { return true }
        let deadline = Deadline.after(limit)
        var pause = Duration.milliseconds(100)
        while true {
            do throws(RelayError) {
                return try watch(after: seen, until: deadline)
            } catch {
                guard case .unreachable = error, !deadline.isOver else { throw error }
                let end = Deadline.after(pause)
                let isLast = deadline.pollMilliseconds < end.pollMilliseconds
                if interruption.wait(until: isLast ? deadline : end) == .interrupted {
                    return false
                }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    private func watch(after seen: Int64, until deadline: Deadline) throws(RelayError) -> Bool {
        let request = requests.watch(after: seen)
        let end = try client.watch(request, interruption, until: deadline) { answer in
            // What was compacted meanwhile may have been anything.
            if answer.isCanceled { return true }
            return answer.hasEvents && hasNews(answer, after: seen)
        }
        guard end == .timeIsOver else { return end == .ready }
        // A short wait may end before the watch has begun.
        return hasNews(try client.send(requests.allRecords, to: "kv/range"), after: seen)
    }

    private func hasNews(_ answer: EtcdAnswer, after seen: Int64) -> Bool {
        let own = memory.withLock { $0.own }
        return answer.pairs.contains { $0.revision > seen && !own.contains($0.revision) }
    }
}
