import Cryptography
import KeychainSync
import Secrets
import SyncRelay

/// A device's record about its circle, apart from the machine's memory.
///
/// - Source: Documentation/Spec/sync.md §8.
package struct Membership: Sendable, Hashable {
    package enum Phase: UInt8, Sendable, Hashable {
        /// The device asked to join, and no keeper has approved it yet.
        case requested = 1
        case member = 2
        /// Another device removed this one.
        case removed = 3
    }

    package let code: SyncCode
    package let account: AccountName
    /// The stream that this device writes.
    package internal(set) var stream: StreamName
    package internal(set) var phase: Phase
    /// Whether synchronization is on; items stay local while it is off.
    package internal(set) var isOn = true
    package let deviceName: String
    /// The relay's address.
    package internal(set) var relayName: String
    /// The item classes exchanged so far; when they change, the device reads all streams again.
    package internal(set) var classes: [String]

    init(
        _ code: SyncCode,
        _ phase: Phase,
        stream: StreamName,
        deviceName: String,
        relayName: String,
        classes: [String]
    ) throws(SyncFailure) {
        self.code = code
        account = try fromFormat(try code.accountName())
        self.stream = stream
        self.phase = phase
        self.deviceName = DeviceName.fitting(deviceName)
        self.relayName = relayName
        self.classes = classes
    }
}

extension Membership {
    /// Returns the record's plaintext.
    ///
    /// - Throws: `format(tooLarge)` if a text has more than 65,535 bytes.
    func encoded() throws(SyncFailure) -> Secret {
        var writer = FieldWriter()
        writer.append(code.bytes)
        writer.append(stream)
        writer.append(phase.rawValue)
        writer.append(isOn)
        for text in [deviceName, relayName, classes.joined()] {
            let bytes = Array(text.utf8)
            guard let count = UInt16(exactly: bytes.count) else { throw .format(.tooLarge) }
            writer.append(count)
            writer.append(bytes)
        }
        return writer.secret(filledTo: 0)
    }

    init(_ plaintext: borrowing Secret) throws(SyncFailure) {
        self = try plaintext.withUnsafeBytes { bytes throws(SyncFailure) in
            try Membership(decoding: bytes)
        }
    }

    private init(decoding bytes: UnsafeRawBufferPointer) throws(SyncFailure) {
        var reader = FieldReader(bytes[...], of: "the circle's record")
        do throws(SyncError) {
            let codeBytes = try reader.bytes(SyncCode.byteCount)
            let stream = try reader.name(StreamName.self)
            guard let phase = Phase(rawValue: try reader.integer(UInt8.self)),
                let code = SyncCode(bytes: codeBytes)
            else { throw reader.damaged("its phase is unknown") }
            let isOn = try reader.flag()
            let deviceName = try reader.text()
            let relayName = String(decoding: try reader.counted(UInt16.self), as: UTF8.self)
            let letters = String(decoding: try reader.counted(UInt16.self), as: UTF8.self)
            try reader.finish()
            let account = try code.accountName()
            self.code = code
            self.account = account
            self.stream = stream
            self.phase = phase
            self.isOn = isOn
            self.deviceName = deviceName
            self.relayName = relayName
            classes = stride(from: 0, to: letters.utf8.count, by: 4).map { start in
                String(decoding: Array(letters.utf8)[start..<start + 4], as: UTF8.self)
            }
        } catch { throw .damagedState("the circle's record is not what was written") }
    }
}
