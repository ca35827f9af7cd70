// What the files of all secure elements have in common: keybag.md §4.

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

    /// Appends the 30 bytes that are read above.
    func append(to bytes: inout [UInt8]) {
        let noBoot = [UInt8](repeating: 0, count: DeviceInstant.bootIDByteCount)
        bytes.append(delayStartedAt == nil ? 0 : Self.delayFlag)
        bytes.append(0)
        bytes.append(integer: failures)
        bytes += delayStartedAt?.bootID ?? noBoot
        bytes.append(duration: delayStartedAt?.uptime ?? .zero)
    }
}

/// An enrolment set as a file has it, its private key in whatever form that file keeps it.
struct EnrolmentFields {
    /// The size of the fields of nobody in bytes.
    static let emptyByteCount = 2

    /// 16 bytes.
    let id: [UInt8]

    /// The private key: the 32 bytes themselves, or wrapped to 40.
    var key: [UInt8]

    /// 32 bytes each.
    let templates: [[UInt8]]

    /// Failures in a row.
    let failures: UInt8

    /// The size of the encoded fields in bytes.
    var byteCount: Int {
        Self.emptyByteCount + EnrolmentSet.idByteCount + key.count + 1
            + templates.count * EnrolmentSet.templateByteCount
    }

    /// Reads the fields; nil if nobody was ever enrolled.
    ///
    /// - Parameters:
    ///   - fields: Where they are next.
    ///   - keyByteCount: The size of the private key in this file.
    ///   - fault: Makes an error from the reason.
    /// - Returns: The fields; the caller wipes a key that is not wrapped.
    /// - Throws: What `fault` makes.
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

    /// Appends the fields as they are read; nil stands for nobody.
    ///
    /// - Parameters:
    ///   - enrolments: The fields.
    ///   - bytes: The file, with room for them: grown in place, it would leave copies behind.
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
