import Glibc

@_implementationOnly import CDomainNames

/// A host in the form that browsers compare: lower case, with international names in ASCII.
///
/// ```swift
/// try HostName("Bücher.example").ascii    // "xn--bcher-kva.example"
/// ```
/// - Source: RFC 5891; UTS #46; RFC 5952 for addresses.
package struct HostName: Hashable, Sendable {
    /// The kind of host.
    package enum Kind: Sendable {
        case domain, address, localhost
    }

    package let kind: Kind
    /// The name in ASCII; an IPv6 address has no brackets.
    package let ascii: String

    /// Parses a host; an IPv6 address may have brackets.
    ///
    /// - Throws: `hostMissing`, `trailingDot` or `hostNotValid`.
    package init(_ text: some StringProtocol) throws(AutoFillRefusal) {
        guard !text.isEmpty else { throw .hostMissing }
        if text.contains(":") || text.hasPrefix("[") {
            guard let address = Self.address6(text) else { throw .hostNotValid }
            kind = .address
            ascii = address
            return
        }
        let name = try Self.ascii(text)
        guard !name.hasSuffix(".") else { throw .trailingDot }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253,
            labels.allSatisfy({ 1...63 ~= $0.utf8.count }), let last = labels.last
        else { throw .hostNotValid }
        ascii = name
        if last.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
            || last.hasPrefix("0x")
        {
            guard Self.isAddress4(labels) else { throw .hostNotValid }
            kind = .address
        } else {
            kind = last == "localhost" ? .localhost : .domain
        }
    }

    /// The name with international letters; the same as in ASCII if it has none.
    package var unicode: String {
        guard ascii.contains("xn--") else { return ascii }
        var output: UnsafeMutablePointer<CChar>?
        guard idn2_to_unicode_8z8z(ascii, &output, 0) == IDN2_OK.rawValue, let output
        else { return ascii }
        defer { idn2_free(output) }
        return String(cString: output)
    }

    /// The registered domain of the host; nil if only the same host has the same owner.
    package var registrableDomain: String? {
        kind == .domain ? PublicSuffixes.registrableDomain(of: ascii) : nil
    }

    /// Whether the host is a subdomain of another one.
    package func isBelow(_ other: HostName) -> Bool {
        kind != .address && other.kind != .address && ascii.hasSuffix("." + other.ascii)
    }

    /// The host in the form of a URL.
    package var inURL: String { ascii.contains(":") ? "[\(ascii)]" : ascii }

    /// Returns the name in lower-case ASCII; dots of other scripts become full stops.
    private static func ascii(_ text: some StringProtocol) throws(AutoFillRefusal) -> String {
        guard text.utf8.count <= 1024, text.unicodeScalars.allSatisfy({ !$0.isASCII || isHost($0) })
        else { throw .hostNotValid }
        let name = text.lowercased()
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 } && !name.contains("xn--")
        if isPlain { return name }
        // libidn2 accepts an empty label at the end, and keeps the final dot as browsers do.
        let flags = CInt(IDN2_NONTRANSITIONAL.rawValue | IDN2_NFC_INPUT.rawValue)
        var output: UnsafeMutablePointer<CChar>?
        guard idn2_to_ascii_8z(name, &output, flags) == IDN2_OK.rawValue, let output
        else { throw .hostNotValid }
        defer { idn2_free(output) }
        let converted = String(cString: output)
        guard converted.unicodeScalars.allSatisfy(isHost) else { throw .hostNotValid }
        return converted
    }

    /// Whether a character may be in a host: a letter, a digit, `-`, `.`, or `_`, which registered
    /// domains do not have.
    private static func isHost(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
        default: false
        }
    }

    /// Whether the labels are four decimal numbers.
    ///
    /// Browsers also accept `127.1` and `0x7f000001`, which no item contains.
    private static func isAddress4(_ labels: [Substring]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { UInt8($0).map(String.init) == String($0) }
    }

    /// Returns the shortest form of an IPv6 address; nil for other text, and for an address with a
    /// zone.
    private static func address6(_ text: some StringProtocol) -> String? {
        var inside = text[...]
        if inside.hasPrefix("[") {
            guard inside.hasSuffix("]") else { return nil }
            inside = inside.dropFirst().dropLast()
        }
        var bytes = in6_addr()
        var output = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inside.utf8.count < output.count, inet_pton(AF_INET6, String(inside), &bytes) == 1,
            inet_ntop(AF_INET6, &bytes, &output, socklen_t(output.count)) != nil
        else { return nil }
        let text = output.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: text, as: UTF8.self)
    }
}
