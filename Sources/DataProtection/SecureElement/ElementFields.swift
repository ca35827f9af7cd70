// The fields that the files of all secure elements share: keybag.md §4.

extension PasscodeAttempts {
    /// The size of an encoded counter in bytes.
    static let byteCount = 14 + DeviceInstant.bootIDByteCount

    private static let delayFlag: UInt8 = 1

    /// Reads the flags, the failures and the delay's start.
    init(from fields: inout ByteReader, fault: (String) -> DeviceError) throws(DeviceError) {
        let flags = try fields.integer(UInt8.self)
        try fields.expect([0], else: "a reserved byte is not zero")
        guard flags & ~Self.delayFlag == 0 else { throw fault("a reserved flag is set") }
        let failures = try fields.integer(UInt32.self)
        let bootID = try fields.bytes(DeviceInstant.bootIDByteCount)
        let startedAt = DeviceInstant(bootID: bootID, uptime: try fields.duration())
        let isDelayed = flags & Self.delayFlag != 0
        self.init(failures: failures, delayStartedAt: isDelayed ? startedAt : nil)
    }

    /// Appends the 30 bytes that `init(from:fault:)` reads.
    func append(to bytes: inout [UInt8]) {
        let noBoot = [UInt8](repeating: 0, count: DeviceInstant.bootIDByteCount)
        bytes.append(delayStartedAt == nil ? 0 : Self.delayFlag)
        bytes.append(0)
        bytes.append(integer: failures)
        bytes += delayStartedAt?.bootID ?? noBoot
        bytes.append(duration: delayStartedAt?.uptime ?? .zero)
    }
}

/// An enrolment set as a file stores it; the file determines the form of its private key.
struct EnrolmentFields {
    /// The size of the fields without an enrolment, in bytes.
    static let emptyByteCount = 2

    /// 16 bytes.
    let id: [UInt8]

    /// The private key: the 32 bytes themselves, or wrapped to 40.
    var key: [UInt8]

    /// 32 bytes each.
    let templates: [[UInt8]]

    /// The number of failures in a row.
    let failures: UInt8

    /// The size of the encoded fields in bytes.
    var byteCount: Int {
        Self.emptyByteCount + EnrolmentSet.idByteCount + key.count + 1
            + templates.count * EnrolmentSet.templateByteCount
    }

    /// Reads the fields; returns nil if there never was an enrolment.
    ///
    /// - Parameters:
    ///   - fields: The reader, positioned at the fields.
    ///   - keyByteCount: The size of the private key in this file.
    ///   - fault: Creates an error from the reason.
    /// - Returns: The fields; the caller wipes a key that is not wrapped.
    /// - Throws: The result of `fault`.
    static func read(
        from fields: inout ByteReader,
        keyByteCount: Int,
        fault: (String) -> DeviceError
    ) throws(DeviceError) -> EnrolmentFields? {
        let isEnrolled = try fields.integer(UInt8.self)
        let failures = try fields.integer(UInt8.self)
        guard isEnrolled <= 1, isEnrolled == 1 || failures == 0 else {
            throw fault("a reserved flag is set")
        }
        guard isEnrolled == 1 else { return nil }
        let id = try fields.bytes(EnrolmentSet.idByteCount)
        let key = try fields.bytes(keyByteCount)
        let count = try fields.integer(UInt8.self)
        guard count <= EnrolmentSet.templateLimit else { throw fault("it has too many templates") }
        var templates: [[UInt8]] = []
        for _ in 0..<count {
            templates.append(try fields.bytes(EnrolmentSet.templateByteCount))
        }
        return EnrolmentFields(id: id, key: key, templates: templates, failures: failures)
    }

    /// Appends the fields in the form in which they are read; nil means no enrolment.
    ///
    /// - Parameters:
    ///   - enrolments: The fields.
    ///   - bytes: The file, with reserved capacity: growing it would leave copies of the key in
    ///     memory.
    static func append(_ enrolments: EnrolmentFields?, to bytes: inout [UInt8]) {
        bytes.append(enrolments == nil ? 0 : 1)
        bytes.append(enrolments?.failures ?? 0)
        guard let enrolments else { return }
        bytes += enrolments.id
        bytes += enrolments.key
        bytes.append(UInt8(clamping: enrolments.templates.count))
        for template in enrolments.templates { bytes += template }
    }
}
