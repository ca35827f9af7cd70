import KeychainMessages
import KeychainModel
import Secrets

extension DeviceRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case status = 1
        case lock = 2
        case unlock = 3
        case setPasscode = 4
        case removePasscode = 5
        case setLockSettings = 6

        static var meaning: String { "request to the device" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .status: buffer.put(kind: Kind.status)
        case .lock: buffer.put(kind: Kind.lock)
        case .unlock(let passcode):
            buffer.put(kind: Kind.unlock)
            buffer.put(secret: passcode)
        case .setPasscode(let passcode, let current):
            buffer.put(kind: Kind.setPasscode)
            buffer.put(secret: passcode)
            buffer.put(optionalSecret: current)
        case .removePasscode(let current):
            buffer.put(kind: Kind.removePasscode)
            buffer.put(secret: current)
        case .setLockSettings(let settings):
            buffer.put(kind: Kind.setLockSettings)
            buffer.put(settings)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .status: self = .status
        case .lock: self = .lock
        case .unlock: self = .unlock(passcode: try reader.secret())
        case .setPasscode:
            self = .setPasscode(try reader.secret(), current: try reader.optionalSecret())
        case .removePasscode: self = .removePasscode(current: try reader.secret())
        case .setLockSettings: self = .setLockSettings(try reader.take())
        }
    }
}

extension LockSettings: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(idleSeconds ?? 0)
        buffer.put(minuteOfDay ?? Self.noMinute)
        buffer.put(onSleep)
        buffer.put(onLogout)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let idleSeconds: UInt32 = try reader.integer()
        let minuteOfDay: UInt16 = try reader.integer()
        guard minuteOfDay == Self.noMinute || Self.dayMinutes.contains(minuteOfDay) else {
            throw .invalidValue("minute of a day")
        }
        self.init(
            idleSeconds: idleSeconds == 0 ? nil : idleSeconds,
            minuteOfDay: minuteOfDay == Self.noMinute ? nil : minuteOfDay,
            onSleep: try reader.take(),
            onLogout: try reader.take()
        )
    }

    private static let noMinute = UInt16.max
}

extension DeviceReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case status = 1
        case changed = 2

        static var meaning: String { "reply of the device" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .status(let status):
            buffer.put(kind: Kind.status)
            buffer.put(status)
        case .changed(let warnings):
            buffer.put(kind: Kind.changed)
            buffer.put(list: warnings, WireLimit.entries)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .status: self = .status(try reader.take())
        case .changed: self = .changed(warnings: try reader.takeList(WireLimit.entries))
        }
    }
}

extension DeviceStatus: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(lockState)
        buffer.put(isProtectedDataAvailable)
        buffer.put(isPasscodeSet)
        buffer.put(count: failedAttempts)
        buffer.put(delaySeconds)
        buffer.put(secureElement)
        buffer.put(optional: location)
        buffer.put(list: accessGroups, WireLimit.entries)
        buffer.put(optional: defaultAccessGroup)
        buffer.put(counts: itemCounts)
        buffer.put(memoryIsLocked)
        buffer.put(optional: guessCost)
        buffer.put(lockSettings)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            lockState: try reader.take(),
            isProtectedDataAvailable: try reader.take(),
            isPasscodeSet: try reader.take(),
            failedAttempts: try reader.count(),
            delaySeconds: try reader.take(),
            secureElement: try reader.take(),
            location: try reader.takeOptional(),
            accessGroups: try reader.takeList(WireLimit.entries),
            defaultAccessGroup: try reader.takeOptional(),
            itemCounts: try reader.counts(),
            memoryIsLocked: try reader.take(),
            guessCost: try reader.takeOptional(),
            lockSettings: try reader.take()
        )
    }
}

extension DeviceStatus.GuessCost: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(count: memoryKiB)
        buffer.put(count: passes)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(memoryKiB: try reader.count(), passes: try reader.count())
    }
}
