import Cryptography
import JSON
import SyncRelay

/// A response of etcd, with the fields that a relay needs.
///
/// Numbers are strings, and zeros are omitted.
struct EtcdAnswer {
    /// A key with its value.
    struct Pair {
        let key: [UInt8]
        let value: [UInt8]
        /// The store's revision that last wrote the key.
        let revision: Int64
    }

    /// The store's revision at the time of the response.
    private(set) var revision: Int64 = 0
    /// Whether the comparisons of a transaction succeeded.
    private(set) var isSuccess = false
    /// The pairs in ranges, also in those of a transaction, and in the events of a watch.
    private(set) var pairs: [Pair] = []
    /// Whether the watch was canceled.
    private(set) var isCanceled = false
    private var token: String?

    func text(_ key: String) -> String? { key == "token" ? token : nil }

    /// Parses a response.
    ///
    /// - Throws: The error that etcd reports, or `damaged` for a malformed response.
    init(_ body: [UInt8], status: Int) throws(RelayError) {
        var answer: EtcdAnswer?
        var failure = RelayError.damaged("etcd answered with status \(status) and no JSON")
        do throws(JSONError) {
            let limits = JSONLimits(depth: 16, byteCount: 128 << 20)
            try JSONText.read(body, limits) { text throws(JSONError) in
                do throws(RelayError) {
                    answer = try EtcdAnswer(text, status)
                } catch {
                    failure = error
                }
            }
        } catch {
            // A proxy in front of etcd may answer in its own format.
            if status >= 500 { failure = .unreachable("the server answered with status \(status)") }
            if 400..<500 ~= status {
                failure = .refused("status \(status): \(Self.firstLine(of: body))")
            }
        }
        guard let answer else { throw failure }
        self = answer
    }

    /// Returns the first line of a response that is not JSON, for a message.
    private static func firstLine(of body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(200), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init)
            ?? "no reason is given"
    }

    private init(_ text: JSONText, _ status: Int) throws(RelayError) {
        let root = text.value("result", of: text.root) ?? text.root
        let problem = text.value("error", of: text.root)
        guard status == 200, problem == nil else {
            throw Self.failure(text, problem, status)
        }
        revision = Self.number(text.node(at: ["header", "revision"]), in: text)
        let inResult = root.range != text.root.range
        if inResult {
            let header = text.value("header", of: root)
            revision = Self.number(text.value("revision", of: header), in: text)
        }
        isSuccess = text.value("succeeded", of: root).map { text.isTrue($0) } ?? false
        isCanceled = text.value("canceled", of: root).map { text.isTrue($0) } ?? false
        token = text.text(text.value("token", of: root))
        if case .array(let events)? = text.value("events", of: root)?.content {
            for event in events { try append(text.value("kv", of: event), in: text) }
        }
        var ranges = [root]
        if case .array(let responses)? = text.value("responses", of: root)?.content {
            ranges += responses.compactMap { text.value("response_range", of: $0) }
        }
        for range in ranges {
            guard case .array(let found)? = text.value("kvs", of: range)?.content else { continue }
            for pair in found { try append(pair, in: text) }
        }
    }

    private mutating func append(
        _ node: JSONText.Node?,
        in text: JSONText
    ) throws(RelayError) {
        let key = try Self.bytes(text.value("key", of: node), in: text)
        let value = try Self.bytes(text.value("value", of: node), in: text)
        let revision = Self.number(text.value("mod_revision", of: node), in: text)
        pairs.append(Pair(key: key, value: value, revision: revision))
    }

    /// Returns a revision that is not the greatest possible one; 0 for anything else.
    private static func number(_ node: JSONText.Node?, in text: JSONText) -> Int64 {
        let number = text.text(node).flatMap { Int64($0) } ?? 0
        return number >= 0 && number < .max ? number : 0
    }

    private static func bytes(
        _ node: JSONText.Node?,
        in text: JSONText
    ) throws(RelayError) -> [UInt8] {
        guard let node else { return [] }
        guard let inside = text.inside(of: node),
            let bytes = Base64Text.decode(UnsafeRawBufferPointer(rebasing: text.bytes[inside]))
        else { throw .damaged("etcd answered with bytes that are no base64") }
        return bytes
    }

    /// Returns the error that a response reports.
    ///
    /// - Source: gRPC's status codes.
    private static func failure(
        _ text: JSONText,
        _ problem: JSONText.Node?,
        _ status: Int
    ) -> RelayError {
        let inner = text.text(problem) ?? text.text(text.value("message", of: problem))
        let words = inner ?? "the server answered with status \(status)"
        let code = text.value("code", of: text.root) ?? text.value("grpc_code", of: problem)
        // The codes for unknown, deadline, aborted, internal and unavailable are temporary.
        let isPassing = ["1", "2", "4", "10", "13", "14"].contains { text.isNumber(code, $0) }
        return isPassing || status >= 500 ? .unreachable(words) : .refused(words)
    }
}
