import Cryptography
import KeychainSync
import SyncRelay

/// The keys of an account in etcd, and the requests for them.
///
/// - Source: Documentation/Spec/relays.md §4.
struct EtcdRequests: Sendable {
    /// The extent of a stream.
    struct Record: Sendable, Equatable {
        var range: Range<UInt64>
        /// The revision that wrote the record.
        var revision: Int64
    }

    private let start: String

    init(_ account: AccountName) { start = "keychain-sync/2/\(account.hexadecimal)/" }

    // MARK: - Keys

    private static let digitCount = 20

    private var records: String { start + "streams/" }

    private func folder(_ part: LinkPart) -> String {
        start + (part == .link ? "links/" : "boxes/")
    }

    private func record(_ stream: StreamName) -> String { records + stream.hexadecimal }

    private func entries(_ stream: StreamName) -> String {
        start + "entries/" + stream.hexadecimal + "/"
    }

    func entry(_ stream: StreamName, _ number: UInt64) -> String {
        entries(stream) + Self.digits(number)
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: digitCount - digits.utf8.count) + digits
    }

    func key(_ part: LinkPart, _ place: LinkPlace) -> String {
        folder(part) + Self.digits(place.number) + "-" + place.digest.hexadecimal
    }

    /// Returns the link's place for a key; nil for other keys.
    func place(ofLink key: [UInt8]) -> LinkPlace? {
        let (text, folder) = (String(decoding: key, as: UTF8.self), folder(.link))
        guard text.hasPrefix(folder) else { return nil }
        let name = text.utf8.dropFirst(folder.utf8.count)
        let number = String(decoding: name.prefix(Self.digitCount), as: UTF8.self)
        let digest = String(decoding: name.dropFirst(Self.digitCount + 1), as: UTF8.self)
        guard let number = UInt64(number), number < RelayLimit.number,
            let digest = SyncDigest(hexadecimal: digest)
        else { return nil }
        let place = LinkPlace(number: number, digest: digest)
        return Array(self.key(.link, place).utf8) == key ? place : nil
    }

    /// Returns the listing to which a key belongs; nil for keys that no wait concerns.
    func listing(of key: [UInt8]) -> RelayListing? {
        if stream(ofRecord: key) != nil { return .streams }
        return place(ofLink: key) == nil ? nil : .links
    }

    /// Returns the stream of a record's key; nil for other keys.
    func stream(ofRecord key: [UInt8]) -> StreamName? {
        let text = String(decoding: key, as: UTF8.self)
        guard text.hasPrefix(records) else { return nil }
        return StreamName(hexadecimal: String(text.dropFirst(records.count)))
    }

    // MARK: - Records

    /// Returns a record's value: the first number, a space, and the number after the last.
    private static func value(_ range: Range<UInt64>) -> String {
        "\(range.lowerBound) \(range.upperBound)"
    }

    /// Parses a value; nil for any value that a relay does not write.
    static func range(_ value: [UInt8]) -> Range<UInt64>? {
        let parts = String(decoding: value, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let first = UInt64(parts[0]), let end = UInt64(parts[1]),
            first < end, end <= RelayLimit.number, Array(Self.value(first..<end).utf8) == value
        else { return nil }
        return first..<end
    }

    // MARK: - Requests

    private static func base64(_ text: String) -> String { Base64Text.encode(Array(text.utf8)) }

    /// Returns the key after all keys with a prefix.
    private static func end(_ start: String) -> String {
        var bytes = Array(start.utf8)
        bytes[bytes.count - 1] += 1
        return Base64Text.encode(bytes)
    }

    /// Returns the field for a range of keys, from a prefix to an end.
    private static func range(_ start: String, to end: String) -> String {
        #""key":"\#(base64(start))","range_end":"\#(end)""#
    }

    private static func all(_ start: String) -> String { range(start, to: end(start)) }

    private static func one(_ key: String) -> String { #"{"key":"\#(base64(key))"}"# }

    /// The request for the records of all streams, up to one more than the limit.
    var allRecords: String { "{\(Self.all(records)),\(Self.limit(RelayLimit.streamCount + 1))}" }

    func readRecord(_ stream: StreamName) -> String { Self.one(record(stream)) }

    /// Returns a request for keys of links after another one.
    func linkKeys(behind last: [UInt8]?, limit: Int) -> String {
        let folder = folder(.link)
        let first = Base64Text.encode(last.map { $0 + [0] } ?? Array(folder.utf8))
        let range = #""key":"\#(first)","range_end":"\#(Self.end(folder))""#
        return #"{\#(range),\#(Self.limit(limit)),"keys_only":true}"#
    }

    func readKept(_ part: LinkPart, _ places: [LinkPlace]) -> String {
        let reads = places.map { #"{"request_range":\#(Self.one(key(part, $0)))}"# }
        return Self.transaction([], reads)
    }

    func keep(_ part: LinkPart, _ bytes: [UInt8], at place: LinkPlace) -> String {
        Self.pair(key(part, place), Base64Text.encode(bytes))
    }

    /// Returns a request for the changes after a revision, without values.
    func changes(after revision: Int64) -> String {
        #"{\#(listed),"min_mod_revision":"\#(revision + 1)","keys_only":true}"#
    }

    /// The range of keys for links and records, which are adjacent.
    private var listed: String { Self.range(folder(.link), to: Self.end(records)) }

    private static func limit(_ count: Int) -> String { #""limit":"\#(count)""# }

    func readEntries(_ stream: StreamName, from first: UInt64, limit: Int) -> String {
        let range = Self.range(entry(stream, first), to: Self.end(entries(stream)))
        return "{\(range),\(Self.limit(limit))}"
    }

    func watch(after revision: Int64) -> String {
        #"{"create_request":{\#(listed),"start_revision":"\#(revision + 1)"}}"#
    }

    /// Returns a transaction that appends entries if the stream's record has not changed and their
    /// keys do not exist.
    func append(
        _ added: [[UInt8]],
        to stream: StreamName,
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

    /// Returns a transaction that removes the first entries if the stream's record has not changed.
    func trim(_ stream: StreamName, below number: UInt64, _ old: Record) -> String {
        let own = record(stream)
        let range = Self.value(number..<old.range.upperBound)
        let gone = Self.range(entries(stream), to: Self.base64(entry(stream, number)))
        let removal = Self.removal(gone)
        return Self.transaction(
            [Self.isAt(own, old.revision)],
            [Self.put(own, Base64Text.encode(Array(range.utf8))), removal]
        )
    }

    /// Returns a transaction that removes a stream.
    func remove(_ stream: StreamName) -> String {
        let key = #""key":"\#(Self.base64(record(stream)))""#
        return Self.transaction([], [key, Self.all(entries(stream))].map(Self.removal))
    }

    private static func removal(_ range: String) -> String {
        #"{"request_delete_range":{\#(range)}}"#
    }

    /// Returns the condition that a revision last wrote a key or, for nil, that the key does not
    /// exist.
    private static func isAt(_ key: String, _ revision: Int64?) -> String {
        let target =
            revision.map { #""target":"MOD","mod_revision":"\#($0)""# }
            ?? #""target":"CREATE","create_revision":"0""#
        return #"{"key":"\#(base64(key))","result":"EQUAL",\#(target)}"#
    }

    private static func put(_ key: String, _ value: String) -> String {
        #"{"request_put":\#(pair(key, value))}"#
    }

    private static func pair(_ key: String, _ value: String) -> String {
        #"{"key":"\#(base64(key))","value":"\#(value)"}"#
    }

    private static func transaction(_ comparisons: [String], _ successes: [String]) -> String {
        let compare = comparisons.joined(separator: ",")
        let success = successes.joined(separator: ",")
        return #"{"compare":[\#(compare)],"success":[\#(success)]}"#
    }
}
