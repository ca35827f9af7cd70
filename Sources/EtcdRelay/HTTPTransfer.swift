import KeychainSockets
import SyncRelay

@_implementationOnly import CCurl

/// A handle of libcurl, which keeps its connection for the next request.
///
/// `@unchecked Sendable`: a handle belongs to the thread that took it from the pool. It returns to
/// the pool when that thread has finished.
final class HTTPTransfer: @unchecked Sendable {
    /// A response of the server.
    struct Answer {
        var status: Int
        var body: [UInt8]
    }

    private static let answerByteCountLimit = 128 << 20

    /// Receives the bytes of a response; lives as long as a transfer.
    private final class Sink {
        var bytes: [UInt8] = []
    }

    private let library: CurlLibrary
    private let handle: UnsafeMutableRawPointer
    /// The buffer for libcurl's details about a failure, such as an address, a file or a
    /// certificate.
    private let detail = UnsafeMutablePointer<CChar>.allocate(capacity: detailByteCount)
    /// `CURL_ERROR_SIZE`.
    private static let detailByteCount = 256

    /// Makes a handle.
    ///
    /// - Throws: `refused` if libcurl is not installed or does not support an option.
    init(_ place: EtcdPlace) throws(RelayError) {
        library = try CurlLibrary()
        guard let handle = library.make() else { throw .unreachable("libcurl has no memory") }
        self.handle = handle
        detail.initialize(repeating: 0, count: Self.detailByteCount)
        try set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(detail))
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        // A server that sends nothing for this time counts as unreachable.
        try set(CURLOPT_LOW_SPEED_LIMIT, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_TCP_NODELAY, 1)
        try set(CURLOPT_POST, 1)
        if let file = place.authoritiesFile { try set(CURLOPT_CAINFO, file) }
        if let file = place.certificateFile { try set(CURLOPT_SSLCERT, file) }
        if let file = place.keyFile { try set(CURLOPT_SSLKEY, file) }
        let code = ccurl_set_sink(library.set, handle) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
            guard sink.bytes.count + size * count <= HTTPTransfer.answerByteCountLimit else {
                return 0
            }
            sink.bytes += UnsafeRawBufferPointer(start: bytes, count: size * count)
            return size * count
        }
        try require(code)
    }

    deinit {
        library.end(handle)
        detail.deallocate()
    }

    /// Sends a request, and returns the response.
    func send(_ body: String, to url: String, token: String?) throws(RelayError) -> Answer {
        let sink = Sink()
        try set(CURLOPT_LOW_SPEED_TIME, 60)
        let headers = try begin(body, url, token, sink)
        defer { library.freeList(headers) }
        let code = withExtendedLifetime((sink, body)) { library.perform(handle) }
        guard code == CURLE_OK else { throw failure(code) }
        return Answer(status: try status(), body: sink.bytes)
    }

    /// Sends a request with an endless response, and passes each line to a closure until it returns
    /// true.
    func watch(
        _ body: String,
        _ url: String,
        token: String?,
        _ interruption: RelayWait,
        until deadline: Deadline,
        isLast: (_ line: [UInt8], _ status: Int) throws(RelayError) -> Bool
    ) throws(RelayError) -> RelayWait.End {
        let sink = Sink()
        try set(CURLOPT_LOW_SPEED_TIME, 0)
        let headers = try begin(body, url, token, sink)
        defer { library.freeList(headers) }
        guard let group = library.makeGroup() else { throw .unreachable("libcurl has no memory") }
        defer { _ = library.endGroup(group) }
        guard library.add(group, handle) == CURLM_OK else {
            throw .unreachable("libcurl takes no transfer")
        }
        defer { _ = library.remove(group, handle) }
        return try withExtendedLifetime((sink, body)) { () throws(RelayError) -> RelayWait.End in
            while true {
                let isOver = try goOn(group)
                while let line = Self.takeLine(from: &sink.bytes) {
                    if try isLast(line, try status()) { return .ready }
                }
                if isOver, try isLast(sink.bytes, try status()) { return .ready }
                if deadline.isOver { return .timeIsOver }
                if try wait(group, interruption, until: deadline) { return .interrupted }
            }
        }
    }

    private static func takeLine(from bytes: inout [UInt8]) -> [UInt8]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return Array(bytes[..<end])
    }

    /// Continues the transfer.
    ///
    /// - Returns: Whether the transfer has ended.
    private func goOn(_ group: UnsafeMutableRawPointer) throws(RelayError) -> Bool {
        var runningCount: Int32 = 0
        guard library.goOn(group, &runningCount) == CURLM_OK else {
            throw .unreachable("libcurl ended a transfer")
        }
        var rest: Int32 = 0
        while let message = library.news(group, &rest) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = ccurl_result(message)
            guard code == CURLE_OK else { throw failure(code) }
        }
        return runningCount == 0
    }

    /// Waits for the transfer's connection.
    ///
    /// - Returns: Whether an interrupt ended the wait.
    private func wait(
        _ group: UnsafeMutableRawPointer,
        _ interruption: RelayWait,
        until deadline: Deadline
    ) throws(RelayError) -> Bool {
        var extra = curl_waitfd(
            fd: interruption.descriptor,
            events: Int16(CURL_WAIT_POLLIN),
            revents: 0
        )
        let limit = deadline.pollMilliseconds
        guard library.poll(group, &extra, 1, limit, nil) == CURLM_OK else {
            throw .unreachable("libcurl does not wait")
        }
        return interruption.clear()
    }

    private func begin(
        _ body: String,
        _ url: String,
        _ token: String?,
        _ sink: Sink
    ) throws(RelayError) -> UnsafeMutablePointer<curl_slist>? {
        // Without this, libcurl would wait for permission before it sends a long body.
        var headers = library.append(nil, "Expect:")
        headers = library.append(headers, "Content-Type: application/json")
        if let token { headers = library.append(headers, "Authorization: \(token)") }
        do throws(RelayError) {
            try set(CURLOPT_URL, url)
            try set(CURLOPT_POSTFIELDSIZE, body.utf8.count)
            try set(CURLOPT_COPYPOSTFIELDS, body)
            try set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers))
            try set(CURLOPT_WRITEDATA, Unmanaged.passUnretained(sink).toOpaque())
        } catch {
            library.freeList(headers)
            throw error
        }
        return headers
    }

    // MARK: - libcurl

    private func set(_ option: CURLoption, _ text: String) throws(RelayError) {
        try require(ccurl_set_text(library.set, handle, option, text))
    }

    private func set(_ option: CURLoption, _ number: Int) throws(RelayError) {
        try require(ccurl_set_number(library.set, handle, option, number))
    }

    private func set(
        _ option: CURLoption,
        _ pointer: UnsafeMutableRawPointer?
    ) throws(RelayError) {
        try require(ccurl_set_pointer(library.set, handle, option, pointer))
    }

    private func status() throws(RelayError) -> Int {
        var status = 0
        try require(ccurl_get_status(library.get, handle, &status))
        return status
    }

    private func require(_ code: CURLcode) throws(RelayError) {
        guard code == CURLE_OK else { throw .refused(words(code)) }
    }

    private func words(_ code: CURLcode) -> String {
        library.words(code).map { String(cString: $0) } ?? "libcurl: \(code.rawValue)"
    }

    private func failure(_ code: CURLcode) -> RelayError {
        let written = String(cString: detail)
        let words = written.isEmpty ? words(code) : written
        switch code {
        case CURLE_SSL_CERTPROBLEM, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_SSL_ISSUER_ERROR:
            return .refused(words)
        default: return .unreachable(words)
        }
    }
}
