import Security
import TestSupport
import Testing

@Suite struct `Access control flags` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let flag: SecAccessControlCreateFlags
        let bit: Int

        init(_ name: String, _ flag: SecAccessControlCreateFlags, bit: Int) {
            self.testDescription = name
            self.flag = flag
            self.bit = bit
        }
    }

    @Test(
        .requirement("API-05"),
        arguments: [
            Row("userPresence", .userPresence, bit: 0),
            Row("biometryAny", .biometryAny, bit: 1),
            Row("biometryCurrentSet", .biometryCurrentSet, bit: 3),
            Row("devicePasscode", .devicePasscode, bit: 4),
            Row("watch", .watch, bit: 5),
            Row("companion", .companion, bit: 5),
            Row("or", .or, bit: 14),
            Row("and", .and, bit: 15),
            Row("privateKeyUsage", .privateKeyUsage, bit: 30),
            Row("applicationPassword", .applicationPassword, bit: 31),
        ]
    )
    func `sit on Apple's bits`(row: Row) {
        #expect(row.flag.rawValue == 1 << row.bit)
    }

    @Test(.requirement("API-05")) func `compose by array literals`() {
        let flags: SecAccessControlCreateFlags = [.biometryCurrentSet, .or, .devicePasscode]
        #expect(flags.rawValue == 16408)
    }

    @Test(.requirement("API-06")) func `keep their older names`() {
        #expect(Deprecated.names.touchIDAny.rawValue == 2)
        #expect(Deprecated.names.touchIDCurrentSet.rawValue == 8)
    }
}
