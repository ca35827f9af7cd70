import KeychainModel

// The settings as the keybag stores them.
//
// Source: Documentation/Spec/keybag.md §2.
extension LockSettings {
    /// The size of the fields in bytes.
    static let byteCount = 8

    private static let sleepFlag: UInt8 = 1
    private static let logoutFlag: UInt8 = 2

    /// Idle seconds, minute of the day counted from 1, flags, a reserved byte.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: idleSeconds ?? 0)
        bytes.append(integer: minuteOfDay.map { $0 + 1 } ?? 0)
        bytes.append((onSleep ? Self.sleepFlag : 0) | (onLogout ? Self.logoutFlag : 0))
        bytes.append(0)
        return bytes
    }

    /// - Throws: The result of `fault` for a value out of range or an unknown flag.
    init(from fields: inout ByteReader, fault: (String) -> DeviceError) throws(DeviceError) {
        let idle = try fields.integer(UInt32.self)
        let minute = try fields.integer(UInt16.self)
        guard minute <= Self.dayMinutes.upperBound else {
            throw fault("its lock time is not a time of day")
        }
        let flags = try fields.integer(UInt8.self)
        guard flags & ~(Self.sleepFlag | Self.logoutFlag) == 0 else {
            throw fault("a reserved flag of its lock settings is set")
        }
        try fields.expect([0], else: "a reserved byte of its lock settings is set")
        self.init(
            idleSeconds: idle == 0 ? nil : idle,
            minuteOfDay: minute == 0 ? nil : minute - 1,
            onSleep: flags & Self.sleepFlag != 0,
            onLogout: flags & Self.logoutFlag != 0
        )
    }
}
