import Secrets

// The messages between a program and the helper that drives its chip.
//
// Source: Documentation/Spec/tpm.md §2.

/// A request to a chip: one call of `SecureChip`.
package struct ChipRequest: Sendable {
    package enum Verb: UInt8, Sendable {
        case makeKey = 1
        case authenticate = 2
    }

    /// The most bytes of a request.
    package static let byteCountLimit = 4096
    static let placeByteLimit = 1024
    static let keyByteLimit = 2048
    static let messageByteLimit = 128

    package let verb: Verb
    /// The chip's address; for a TPM, a TCTI string.
    package let place: String
    /// The result of `makeKey`; empty for `makeKey` itself.
    package let key: [UInt8]
    /// The message to authenticate; empty for `makeKey`.
    package let message: SharedSecret

    /// Creates a request for a key.
    package init(makeKeyAt place: String) {
        self.init(.makeKey, place, [], SharedSecret(Secret(copying: [])))
    }

    /// Creates a request for an authentication code.
    package init(
        authenticating message: borrowing Secret,
        under key: [UInt8],
        at place: String
    ) {
        self.init(
            .authenticate,
            place,
            key,
            SharedSecret(message.withUnsafeBytes { Secret(copying: $0) })
        )
    }

    private init(_ verb: Verb, _ place: String, _ key: [UInt8], _ message: SharedSecret) {
        self.verb = verb
        self.place = place
        self.key = key
        self.message = message
    }

    /// Encodes the request.
    ///
    /// - Throws: `element` for a field beyond its limit.
    package func encoded() throws(DeviceError) -> Secret {
        let place = Array(place.utf8)
        guard (1...Self.placeByteLimit).contains(place.count),
            key.count <= Self.keyByteLimit, message.secret.byteCount <= Self.messageByteLimit
        else { throw .element(reason: "a message to the chip is too long") }
        let start =
            [ChipReader.version, verb.rawValue] + ChipReader.sized(place) + ChipReader.sized(key)
            + ChipReader.size(message.secret.byteCount)
        return Secret(concatenating: Secret(copying: start), message.secret)
    }

    /// Decodes a request.
    ///
    /// - Throws: `element` unless the bytes are exactly one valid request.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(DeviceError) {
        var reader = try ChipReader(bytes)
        guard let verb = try Verb(rawValue: reader.byte()) else { throw ChipReader.malformed }
        let text = Array(try reader.field(atMost: Self.placeByteLimit))
        let key = Array(try reader.field(atMost: Self.keyByteLimit))
        let message = try reader.field(atMost: Self.messageByteLimit)
        try reader.finish()
        guard let place = String(validating: text, as: UTF8.self), !place.isEmpty,
            !place.utf8.contains(0), key.isEmpty == (verb == .makeKey),
            verb != .makeKey || message.isEmpty
        else { throw ChipReader.malformed }
        let bytes = UnsafeRawBufferPointer(rebasing: message)
        self.init(verb, place, key, SharedSecret(Secret(copying: bytes)))
    }
}

/// The outcome of a request.
package enum ChipReply: Sendable {
    /// A key, or a code of 32 bytes.
    case done(SharedSecret)
    /// The reason why the chip did nothing, in words.
    case failed(String)

    /// The most bytes of a reply.
    package static let byteCountLimit = 4096
    static let reasonByteLimit = 1024

    /// Encodes the reply; truncates a reason that is too long.
    package func encoded() -> Secret {
        switch self {
        case .done(let result):
            let start = [ChipReader.version, 0] + ChipReader.size(result.secret.byteCount)
            return Secret(concatenating: Secret(copying: start), result.secret)
        case .failed(let reason):
            var reason = reason
            while reason.utf8.count > Self.reasonByteLimit { reason.unicodeScalars.removeLast() }
            return Secret(copying: [ChipReader.version, 1] + ChipReader.sized(Array(reason.utf8)))
        }
    }

    /// Decodes a reply.
    ///
    /// - Throws: `element` unless the bytes are exactly one valid reply.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(DeviceError) {
        var reader = try ChipReader(bytes)
        let outcome = try reader.byte()
        switch outcome {
        case 0:
            let result = try reader.field(atMost: ChipRequest.keyByteLimit)
            guard !result.isEmpty else { throw ChipReader.malformed }
            self = .done(
                SharedSecret(Secret(copying: UnsafeRawBufferPointer(rebasing: result)))
            )
        case 1:
            let text = Array(try reader.field(atMost: Self.reasonByteLimit))
            guard let reason = String(validating: text, as: UTF8.self) else {
                throw ChipReader.malformed
            }
            self = .failed(reason)
        default: throw ChipReader.malformed
        }
        try reader.finish()
    }
}

/// Bytes of a message, read from the start.
private struct ChipReader {
    static let version: UInt8 = 1
    static let malformed = DeviceError.element(reason: "a message about the chip is malformed")

    private var rest: Slice<UnsafeRawBufferPointer>

    /// Reads and checks the version.
    init(_ bytes: UnsafeRawBufferPointer) throws(DeviceError) {
        rest = bytes[...]
        guard try byte() == Self.version else { throw Self.malformed }
    }

    mutating func byte() throws(DeviceError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Self.malformed }
        return byte
    }

    /// Reads a length of two bytes, then as many bytes.
    mutating func field(
        atMost limit: Int
    ) throws(DeviceError) -> Slice<UnsafeRawBufferPointer> {
        let count = Int(try byte()) << 8 | Int(try byte())
        guard count <= limit, count <= rest.count else { throw Self.malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    func finish() throws(DeviceError) {
        guard rest.isEmpty else { throw Self.malformed }
    }

    static func size(_ count: Int) -> [UInt8] { [UInt8(count >> 8), UInt8(count & 0xFF)] }

    static func sized(_ bytes: [UInt8]) -> [UInt8] { size(bytes.count) + bytes }
}
