/// The content of the file `secure-element` of a device whose UID key is in a chip.
///
/// Nothing in it is secret. The chip makes and checks the authentication code at its end.
/// - Source: Documentation/Spec/keybag.md §4.
struct ChipElementRecord {
    /// The size of the kind's field in bytes.
    static let kindByteCount = 8

    /// The largest key blob in bytes.
    static let keyByteLimit = 2048

    private static let file = AuthenticatedFile(magic: [UInt8]("swelchip".utf8), version: 1)

    /// The chip's kind, 1 to 8 bytes of ASCII.
    let kind: String

    /// The key blob from which the chip loads the UID key.
    let key: [UInt8]

    /// The attempt counter.
    var attempts = PasscodeAttempts.none

    /// The enrolled faces or fingers, their private key wrapped to 40 bytes.
    var enrolments: EnrolmentFields?

    /// Creates a new device's record.
    init(kind: String, key: [UInt8]) {
        precondition((1...Self.kindByteCount).contains(kind.utf8.count), "A kind has 1 to 8 bytes.")
        precondition(key.count <= Self.keyByteLimit, "A key has at most 2048 bytes.")
        self.kind = kind
        self.key = key
    }

    /// Parses a file without its code, which only the chip can check.
    ///
    /// - Throws: `damaged` or `unsupportedVersion`.
    init(parsing bytes: [UInt8], path: String) throws(DeviceError) {
        let fault = { (reason: String) in DeviceError.damaged(path: path, reason: reason) }
        var fields = try Self.file.fields(of: bytes, fault: fault) { version in
            .unsupportedVersion(path: path, version: version)
        }
        kind = try Self.kind(from: try fields.bytes(Self.kindByteCount), fault: fault)
        attempts = try PasscodeAttempts(from: &fields, fault: fault)
        enrolments = try EnrolmentFields.read(
            from: &fields,
            keyByteCount: EnrolmentSet.wrappedKeyByteCount,
            fault: fault
        )
        let keyByteCount = Int(try fields.integer(UInt16.self))
        guard (1...Self.keyByteLimit).contains(keyByteCount) else {
            throw fault("the size of its key is out of bounds")
        }
        key = try fields.bytes(keyByteCount)
        try fields.finish()
    }

    /// Encodes all bytes before the authentication code.
    func encodedFields() -> [UInt8] {
        var bytes = Self.file.header
        let name = [UInt8](kind.utf8)
        bytes += name + [UInt8](repeating: 0, count: Self.kindByteCount - name.count)
        attempts.append(to: &bytes)
        EnrolmentFields.append(enrolments, to: &bytes)
        bytes.append(integer: UInt16(clamping: key.count))
        bytes += key
        return bytes
    }

    /// Whether a file starts like those of this format.
    static func isRecord(_ bytes: [UInt8]) -> Bool { bytes.starts(with: file.magic) }

    private static func kind(
        from field: [UInt8],
        fault: (String) -> DeviceError
    ) throws(DeviceError) -> String {
        let name = field.prefix { $0 != 0 }
        let isASCII = name.allSatisfy { (0x21...0x7E).contains($0) }
        guard !name.isEmpty, isASCII, field[name.endIndex...].allSatisfy({ $0 == 0 }) else {
            throw fault("the name of its chip is malformed")
        }
        return String(decoding: name, as: UTF8.self)
    }
}
