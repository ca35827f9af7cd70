import Cryptography
import Secrets

/// The common frame of all files here: a magic, a version, and an authentication code at the end.
struct AuthenticatedFile {
    /// The first 8 bytes, ASCII.
    let magic: [UInt8]

    /// The format version, 2 bytes after the magic.
    let version: UInt16

    /// The oldest version that is still read; nil for only `version`.
    var earliest: UInt16?

    /// The size of the authentication code at the end in bytes.
    static let codeByteCount = HMACSHA256.codeByteCount

    /// The bytes at the start of every file.
    var header: [UInt8] {
        var bytes = magic
        bytes.append(integer: version)
        return bytes
    }

    /// Checks magic and version, and returns a reader of the fields.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - fault: Creates an error from the reason.
    ///   - unsupported: Creates an error from an unknown version.
    /// - Returns: A reader of the fields, without the authentication code.
    /// - Throws: The results of `fault` or `unsupported`.
    func fields(
        of bytes: [UInt8],
        fault: @escaping (String) -> DeviceError,
        unsupported: (UInt16) -> DeviceError
    ) throws(DeviceError) -> ByteReader {
        try versionedFields(of: bytes, fault: fault, unsupported: unsupported).fields
    }

    /// Checks magic and version, and returns the version and a reader of the fields.
    func versionedFields(
        of bytes: [UInt8],
        fault: @escaping (String) -> DeviceError,
        unsupported: (UInt16) -> DeviceError
    ) throws(DeviceError) -> (version: UInt16, fields: ByteReader) {
        var head = ByteReader(bytes[...], fault: fault)
        try head.expect(magic, else: "it does not start with its magic bytes")
        let found = try head.integer(UInt16.self)
        guard (earliest ?? version)...version ~= found else { throw unsupported(found) }
        let headerByteCount = magic.count + 2
        guard bytes.count >= headerByteCount + Self.codeByteCount else {
            throw fault("it ends too early")
        }
        let fields = bytes[headerByteCount...].dropLast(Self.codeByteCount)
        return (found, ByteReader(fields, fault: fault))
    }

    /// Appends the authentication code of all bytes so far.
    static func seal(_ bytes: inout [UInt8], under key: borrowing Secret) throws(DeviceError) {
        bytes += try code(of: bytes, under: key)
    }

    /// Whether the last 32 bytes are the authentication code of all bytes before them.
    static func isAuthentic(
        _ bytes: [UInt8],
        under key: borrowing Secret
    ) throws(DeviceError) -> Bool {
        let expected = try code(of: [UInt8](bytes.dropLast(codeByteCount)), under: key)
        return constantTimeEquals(expected[...], bytes.suffix(codeByteCount))
    }

    private static func code(
        of bytes: [UInt8],
        under key: borrowing Secret
    ) throws(DeviceError) -> [UInt8] {
        try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try HMACSHA256.authenticate(bytes, key: key)
        }
    }
}
