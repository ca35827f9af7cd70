import KeychainModel
import Testing

@testable import KeychainCommand

@Suite struct `The words for what an item demands` {
    @Test(
        arguments: [
            ("userPresence", .userPresence),
            (
                "biometryAny,or,devicePasscode",
                [.biometryAny, .or, .devicePasscode]
            ),
            ("devicePasscode,applicationPassword", [.devicePasscode, .applicationPassword]),
            ("companion", .companion), ("", nil), (",", nil), ("userPresence,", nil),
            ("userpresence", nil), (" userPresence", nil), ("0", nil),
        ] as [(String, AccessControl.Flags?)]
    )
    func `are Apple's names with commas between them`(list: String, flags: AccessControl.Flags?) {
        #expect(AccessControlText.flags(of: list) == flags)
    }

    @Test(arguments: AccessControlText.demands)
    func `name one flag each, there and back`(word: String) throws {
        let flags = try #require(AccessControlText.flags(of: word))
        #expect(flags.rawValue.nonzeroBitCount == 1)
        let control = AccessControl(protection: .whenUnlocked, flags: flags)
        #expect(AccessControlText.text(of: control) == "WhenUnlocked \(word)")
    }
}
