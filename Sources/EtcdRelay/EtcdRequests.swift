import Cryptography
import KeychainSync
import SyncRelay

/// The keys that an account has in etcd, and the requests about them.
///
/// - Source: Documentation/Spec/relays.md §4.
struct EtcdRequests: Sendable {
    /// How far a stream goes.
    struct Record: Sendable, Equatable {
        var range: Range<UInt64>
        /// The revision that wrote it.
        var revision: Int64
    }

    private let start: String

    init(_ account: AccountName) { start = "keychain-sync/1/\(account.hexadecimal)/" }

    // MARK: - Keys

    private static let digitCount = 20

    private var records: String { start + "streams/" }

    private func record(_ stream: PeerName) -> String { records + stream.hexadecimal }

    private func entries(_ stream: PeerName) -> String {
        start + "entries/" + stream.hexadecimal + "/"
    }

    func entry(_ stream: PeerName, _ number: UInt64) -> String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: Self.digitCount - digits.utf8.count)
        return entries(stream) + zeros + digits
    }

    /// Which stream a record's key is of; nil for other keys.
    func stream(ofRecord key: [UInt8]) -> PeerName? {
        let text = String(decoding: key, as: UTF8.self)
        guard text.hasPrefix(records) else { return nil }
        return PeerName(hexadecimal: String(text.dropFirst(records.count)))
    }

    // MARK: - Records

    /// A record's value: the first number and the one after the last, in digits, and a blank.
    private static func value(_ range: Range<UInt64>) -> String {
        "\(range.lowerBound) \(range.upperBound)"
    }

    /// Reads a value; nil for what no peer writes.
    static func range(_ value: [UInt8]) -> Range<UInt64>? {
        let parts = String(decoding: value, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let first = UInt64(parts[0]), let end = UInt64(parts[1]),
            first < end, end <= RelayLimit.number, Array(Self.value(first..<end).utf8) == value
        else { return nil }
        return first..<end
    }

    // MARK: - Requests

    private static func base64(_ text: String) -> String { Base64Text.encode(Array(text.utf8)) }

    /// The key after all that begin so.
    private static func end(_ start: String) -> String {
        var bytes = Array(start.utf8)
        bytes[bytes.count - 1] += 1
        return Base64Text.encode(bytes)
    }

    var allRecords: String {
        #"{"key":"\#(Self.base64(records))","range_end":"\#(Self.end(records))"}"#
    }

    func readRecord(_ stream: PeerName) -> String {
        #"{"key":"\#(Self.base64(record(stream)))"}"#
    }

    func readEntries(_ stream: PeerName, from first: UInt64, limit: Int) -> String {
        let key = Self.base64(entry(stream, first))
        let end = Self.end(entries(stream))
        return #"{"key":"\#(key)","range_end":"\#(end)","limit":"\#(limit)"}"#
    }

    func watch(after revision: Int64) -> String {
        let key = Self.base64(records)
        let end = Self.end(records)
        let range = #""key":"\#(key)","range_end":"\#(end)""#
        return #"{"create_request":{\#(range),"start_revision":"\#(revision + 1)"}}"#
    }

    /// A transaction that appends entries if the stream is as it was and nothing is in their place.
    func append(
        _ added: [[UInt8]],
        to stream: PeerName,
        at first: UInt64,
        _ old: Record?
    ) -> String {
        let own = record(stream)
        var comparisons = [Self.isAt(own, old?.revision)]
        let range = (old?.range.lowerBound ?? first)..<first + UInt64(added.count)
        var puts = [Self.put(own, Base64Text.encode(Array(Self.value(range).utf8)))]
        for (offset, bytes) in added.enumerated() {
            let key = entry(stream, first + UInt64(offset))
            comparisons.append(Self.isAt(key, nil))
            puts.append(Self.put(key, Base64Text.encode(bytes)))
        }
        return Self.transaction(comparisons, puts)
    }

    /// A transaction that removes the first entries if the stream is as it was.
    func trim(_ stream: PeerName, below number: UInt64, _ old: Record) -> String {
        let own = record(stream)
        let range = Self.value(number..<old.range.upperBound)
        let start = Self.base64(entries(stream))
        let end = Self.base64(entry(stream, number))
        let removal = #"{"request_delete_range":{"key":"\#(start)","range_end":"\#(end)"}}"#
        return Self.transaction(
            [Self.isAt(own, old.revision)],
            [Self.put(own, Base64Text.encode(Array(range.utf8))), removal]
        )
    }

    /// That a key was last written by a revision; nil: that there is no such key.
    private static func isAt(_ key: String, _ revision: Int64?) -> String {
        let target =
            revision.map { #""target":"MOD","mod_revision":"\#($0)""# }
            ?? #""target":"CREATE","create_revision":"0""#
        return #"{"key":"\#(base64(key))","result":"EQUAL",\#(target)}"#
    }

    private static func put(_ key: String, _ value: String) -> String {
        #"{"request_put":{"key":"\#(base64(key))","value":"\#(value)"}}"#
    }

    private static func transaction(_ comparisons: [String], _ successes: [String]) -> String {
        let compare = comparisons.joined(separator: ",")
        let success = successes.joined(separator: ",")
        return #"{"compare":[\#(compare)],"success":[\#(success)]}"#
    }
}
