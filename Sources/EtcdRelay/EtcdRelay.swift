import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

/// A relay in an etcd cluster, through its JSON gateway.
///
/// ```swift
/// var place = EtcdPlace(["https://etcd.example:2379"])
/// place.credentialsFile = path
/// let relay = try EtcdRelay(place, account)
/// ```
/// etcd accepts 1.5 MiB in one request, so entries are smaller here than elsewhere.
///
/// - Source: Documentation/Spec/relays.md §4.
package final class EtcdRelay: Relay {
    /// The greatest entry that fits a request together with its keys, in bytes.
    package let entryByteCountLimit = 1_500_000

    /// The limit of a batch.
    ///
    /// etcd permits 128 operations in a transaction, one of which is for the record.
    package let batchLimit = BatchLimit(entryCount: 64, byteCount: 1_000_000)
    /// The number of keys in one listing.
    private static let pageCount = 1 << 14
    /// The number of attempts at a transaction while another process changes the stream.
    private static let attemptCount = 16

    private struct Memory: Sendable {
        /// The store's revisions at the last listings.
        var seen: [RelayListing: Int64] = [:]
        /// The revisions that this relay wrote.
        var own: Set<Int64> = []
        /// The streams as this relay last wrote them.
        var records: [StreamName: EtcdRequests.Record] = [:]
    }

    private let client: EtcdClient
    private let requests: EtcdRequests
    private let memory = Mutex(Memory())
    private let interruption: RelayWait

    /// Makes a relay in a cluster; connects only when necessary.
    package init(_ place: EtcdPlace, _ account: AccountName) throws(RelayError) {
        client = EtcdClient(place)
        requests = EtcdRequests(account)
        interruption = try RelayWait()
    }

    /// Checks that the cluster is readable; there is nothing to create.
    package func prepare() throws(RelayError) {
        _ = try client.send(requests.allRecords, to: "kv/range")
    }

    package func streams() throws(RelayError) -> [StreamName: Range<UInt64>] {
        let answer = try client.send(requests.allRecords, to: "kv/range")
        guard answer.pairs.count <= RelayLimit.streamCount else {
            throw .damaged("more than \(RelayLimit.streamCount) streams")
        }
        var ranges: [StreamName: Range<UInt64>] = [:]
        for pair in answer.pairs {
            guard let stream = requests.stream(ofRecord: pair.key) else { continue }
            guard let range = EtcdRequests.range(pair.value) else {
                throw .damaged("the record of stream \(stream.hexadecimal)")
            }
            ranges[stream] = range
        }
        note(answer.revision, of: .streams)
        return ranges
    }

    private func note(_ revision: Int64, of listing: RelayListing) {
        memory.withLock { memory in
            memory.seen[listing] = revision
            let first = memory.seen.values.min() ?? revision
            memory.own = memory.own.filter { $0 > first }
        }
    }

    package func entries(
        of stream: StreamName,
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
                // Numbers after a gap do not belong to the result.
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

    package func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        for _ in 0..<Self.attemptCount {
            guard let record = try record(stream) else { return }
            let first = min(number, record.range.upperBound - 1)
            guard first > record.range.lowerBound else { return }
            let request = requests.trim(stream, below: first, record)
            if try change(stream, first..<record.range.upperBound, request) { return }
        }
        throw .unreachable("another process changes the stream all the time")
    }

    package func remove(_ stream: StreamName) throws(RelayError) {
        memory.withLock { $0.records[stream] = nil }
        _ = try client.send(requests.remove(stream), to: "kv/txn")
    }

    package func interrupt() { interruption.interrupt() }

    // MARK: - Appending

    package func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
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

    /// Compares entries with those that the relay has.
    private func compare(
        _ entries: ArraySlice<[UInt8]>,
        _ stream: StreamName,
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

    private func record(_ stream: StreamName) throws(RelayError) -> EtcdRequests.Record? {
        let answer = try client.send(requests.readRecord(stream), to: "kv/range")
        guard let pair = answer.pairs.first else { return nil }
        guard let range = EtcdRequests.range(pair.value) else {
            throw .damaged("the record of stream \(stream.hexadecimal)")
        }
        return EtcdRequests.Record(range: range, revision: pair.revision)
    }

    /// Sends a transaction that writes a stream's record.
    ///
    /// - Returns: Whether the stream was in the expected state.
    private func change(
        _ stream: StreamName,
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
        let seen = memory.withLock { $0.seen }
        guard let first = seen.values.min() else { return true }
        let deadline = Deadline.after(limit)
        let hasNews = try interruption.trying(until: deadline) { () throws(RelayError) in
            try watch(after: first, seen, until: deadline)
        }
        return hasNews ?? false
    }

    private func watch(
        after first: Int64,
        _ seen: [RelayListing: Int64],
        until deadline: Deadline
    ) throws(RelayError) -> Bool {
        let request = requests.watch(after: first)
        let end = try client.watch(request, interruption, until: deadline) { answer in
            // After a compaction, any change may have happened.
            answer.isCanceled || hasNews(answer, since: seen)
        }
        guard end == .timeIsOver else { return end == .ready }
        // A short wait may end before the watch has started.
        let changes = requests.changes(after: first)
        return hasNews(try client.send(changes, to: "kv/range"), since: seen)
    }

    private func hasNews(_ answer: EtcdAnswer, since seen: [RelayListing: Int64]) -> Bool {
        let own = memory.withLock { $0.own }
        return answer.pairs.contains { pair in
            guard let listing = requests.listing(of: pair.key), let last = seen[listing] else {
                return false
            }
            return pair.revision > last && !own.contains(pair.revision)
        }
    }
}

// MARK: - Links
extension EtcdRelay {
    package func links() throws(RelayError) -> [LinkPlace] {
        var links: [LinkPlace] = []
        var keyCount = 0
        var last: [UInt8]?
        var revision: Int64?
        repeat {
            let request = requests.linkKeys(behind: last, limit: Self.pageCount)
            let answer = try client.send(request, to: "kv/range")
            // Changes that occur during further pages count as changes after the listing.
            revision = revision ?? answer.revision
            links += answer.pairs.compactMap { requests.place(ofLink: $0.key) }
            keyCount += answer.pairs.count
            guard keyCount <= RelayLimit.linkCount else {
                throw .damaged("more than \(RelayLimit.linkCount) links")
            }
            last = answer.pairs.count == Self.pageCount ? answer.pairs.last?.key : nil
        } while last != nil
        note(revision ?? 0, of: .links)
        return links
    }

    package func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        guard !places.isEmpty else { return [] }
        let answer = try client.send(requests.readKept(part, places), to: "kv/txn")
        let pairs = answer.pairs.map { ($0.key, $0.value) }
        let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        return places.map { values[Array(requests.key(part, $0).utf8)] ?? [] }
    }

    package func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
        guard try stored(part, at: [place]) != [bytes] else { return }
        let answer = try client.send(requests.keep(part, bytes, at: place), to: "kv/put")
        _ = memory.withLock { $0.own.insert(answer.revision) }
    }
}
