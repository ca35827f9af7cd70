import Secrets
import Testing

@testable import KeychainPrompts

@Suite struct `A line of a pinentry` {
    @Test(
        arguments: [
            ("OK", .done), ("OK Pleased to meet you, process 7", .done), ("OKAY", .malformed),
            ("ERR 83886179 Operation cancelled <Pinentry>", .failed(83_886_179)),
            ("ERR 83886179", .failed(83_886_179)), ("ERR", .malformed), ("ERR ", .malformed),
            ("ERR -1 no", .malformed), ("ERR 99999999999 too large", .malformed),
            ("ERR 12x", .malformed), ("D secret", .data), ("D", .data), ("Data", .malformed),
            ("S PIN_REPEATED", .information), ("# a remark", .information), ("#", .information),
            ("INQUIRE QUALITY 7", .inquiry), ("", .malformed), (" OK", .malformed),
            ("ok", .malformed), ("\u{0}\u{1}garbage", .malformed), ("END", .malformed),
        ] as [(String, AssuanReply)]
    )
    func `is read as what it is`(line: String, reply: AssuanReply) {
        let bytes = Array(line.utf8)
        #expect(bytes.withUnsafeBytes { AssuanReply($0) } == reply)
    }

    @Test(
        arguments: [
            ("D secret", Array("secret".utf8)), ("D ", []), ("D", []), ("D  x ", Array(" x ".utf8)),
            ("D a%25b", Array("a%b".utf8)), ("D %0A%0d", [10, 13]), ("D %ff%FF", [255, 255]),
            ("D %", nil), ("D %2", nil), ("D %2g", nil), ("D %%", nil), ("D abc%z0", nil),
        ] as [(String, [UInt8]?)]
    )
    func `gives its data with every escape resolved, or none`(line: String, data: [UInt8]?) {
        let bytes = Array(line.utf8)
        let secret = bytes.withUnsafeBytes { line -> [UInt8]? in
            guard let secret = AssuanEscape.bytes(ofDataLine: line) else { return nil }
            return secret.copyBytesUnprotected()
        }
        #expect(secret == data)
    }

    @Test(arguments: [
        ("plain", "plain"), ("100 %", "100 %25"), ("a\nb\rc", "a%0Ab%0Dc"), ("\u{0}", "%00"),
        ("GETPIN\nSETDESC x", "GETPIN%0ASETDESC x"), ("naïve ✓", "naïve ✓"), ("", ""),
    ])
    func `cannot be ended by the text that is sent in it`(text: String, argument: String) {
        #expect(AssuanEscape.escaping(text) == argument)
    }
}
