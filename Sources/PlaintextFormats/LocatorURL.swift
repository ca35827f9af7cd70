import Secrets

/// The parts of a URL that identify a credential's place, percent-decoded (RFC 3986).
package struct LocatorURL: Sendable, Equatable {
    package let scheme: String
    /// The user; nil if the URL has none.
    package let user: String?
    /// Whether the URL contains a password, which this type does not store.
    package let hasPassword: Bool
    /// The host; an IPv6 address has no brackets.
    package let host: String
    package let port: UInt16?
    /// The text after the host, without slashes at its ends; empty if there is none.
    package let path: String

    /// Parses `scheme://[user[:password]@]host[:port][/path]`; nil for anything else.
    package init?(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Parses the bytes of such a URL.
    package init?<Bytes: RandomAccessCollection>(
        _ bytes: Bytes
    ) where Bytes.Element == UInt8, Bytes.Index == Int {
        guard let parts = URLParts(bytes),
            let scheme = String(validating: bytes[parts.scheme], as: UTF8.self),
            let authority = PercentEncoding.text(bytes[parts.host]),
            let path = PercentEncoding.text(bytes[parts.path]),
            let (host, port) = HostPort.split(authority)
        else { return nil }
        user = parts.user.flatMap { PercentEncoding.text(bytes[$0]) }
        guard (user == nil) == (parts.user == nil) else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host
        self.port = port
        self.path = Self.withoutOuterSlashes(path)
        hasPassword = parts.password != nil
    }

    /// Returns the password in a URL; nil if there is none, and for an invalid escape.
    package static func password(in bytes: UnsafeRawBufferPointer) -> SharedSecret? {
        guard let range = URLParts(bytes)?.password else { return nil }
        var count = 0
        var isWhole = false
        let decoded = Secret(byteCount: range.count) { target in
            isWhole = PercentEncoding.decode(bytes[range]) { byte in
                target[count] = byte
                count += 1
            }
        }
        guard isWhole else { return nil }
        return SharedSecret(
            decoded.withUnsafeBytes { bytes in
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            }
        )
    }

    private static func withoutOuterSlashes(_ path: String) -> String {
        var path = path[...].drop { $0 == "/" }
        while path.last == "/" { path.removeLast() }
        return String(path)
    }
}

/// The ranges of a URL's parts, undecoded, so that a password needs no `String`.
struct URLParts {
    let scheme: Range<Int>
    let user: Range<Int>?
    let password: Range<Int>?
    /// The host with the port.
    let host: Range<Int>
    /// The path from the first slash to the end.
    let path: Range<Int>

    /// Splits a URL.
    ///
    /// As in git, the user information ends at the last `@`.
    ///
    /// - Source: RFC 3986 §3.
    init?<Bytes: RandomAccessCollection>(
        _ bytes: Bytes
    ) where Bytes.Element == UInt8, Bytes.Index == Int {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8), colon > bytes.startIndex,
            bytes[..<colon].allSatisfy(Self.isSchemeByte)
        else { return nil }
        scheme = bytes.startIndex..<colon
        let rest = bytes[(colon + 3)...]
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        path = end..<rest.endIndex
        let authority = rest[..<end]
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            host = authority.startIndex..<end
            user = nil
            password = nil
            return
        }
        host = (at + 1)..<end
        let separator = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
        user = authority.startIndex..<(separator ?? at)
        password = separator.map { ($0 + 1)..<at }
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return letters.contains(byte | 0x20) || digits.contains(byte) || "+-.".utf8.contains(byte)
    }
}

/// Percent-encoding, such as `%41` for `A` (RFC 3986 §2.1).
enum PercentEncoding {
    /// Returns the decoded text; nil for invalid escapes, control characters and invalid UTF-8.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        var decoded: [UInt8] = []
        guard decode(bytes, { decoded.append($0) }) else { return nil }
        guard let text = String(validating: decoded, as: UTF8.self) else { return nil }
        return text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }

    /// Emits the decoded bytes.
    ///
    /// - Returns: Whether every escape was complete.
    static func decode(_ bytes: some Collection<UInt8>, _ emit: (UInt8) -> Void) -> Bool {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                emit(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return false }
            emit(high << 4 | low)
        }
        return true
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        Character(UnicodeScalar(letter)).hexDigitValue.flatMap(UInt8.init(exactly:))
    }
}

/// A host and a port, such as `example.org:8080` or `[::1]:22`.
package enum HostPort {
    /// Returns the host, without the brackets of an IPv6 address, and the port; nil if the port is
    /// invalid.
    package static func split(_ text: String) -> (host: String, port: UInt16?)? {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<close])
            let rest = text[text.index(after: close)...]
            guard !rest.isEmpty else { return (host, nil) }
            guard rest.hasPrefix(":") else { return nil }
            return number(rest.dropFirst()).map { (host, $0) }
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return parts.count == 1 ? (text, nil) : nil }
        return number(parts[1]).map { (String(parts[0]), $0) }
    }

    /// Parses a port.
    ///
    /// An empty one is the protocol's default (RFC 3986 §3.2.3).
    private static func number(_ digits: Substring) -> UInt16?? {
        if digits.isEmpty { return .some(nil) }
        guard digits.allSatisfy(\.isNumber), let port = UInt16(digits) else { return nil }
        return port
    }
}
