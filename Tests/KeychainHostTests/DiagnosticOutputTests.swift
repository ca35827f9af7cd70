import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainHost

/// A scalar that acts on terminals or on their readers' eyes, and how it is written instead.
private struct Steering: CustomTestStringConvertible {
    let testDescription: String
    let scalar: Unicode.Scalar

    init(_ name: String, _ scalar: Unicode.Scalar) {
        testDescription = name
        self.scalar = scalar
    }

    static let all = [
        Steering("NUL", "\0"), Steering("BEL", "\u{7}"), Steering("BS", "\u{8}"),
        Steering("LF", "\n"), Steering("CR", "\r"), Steering("ESC", "\u{1B}"),
        Steering("DEL", "\u{7F}"), Steering("NEL", "\u{85}"), Steering("DCS", "\u{90}"),
        Steering("CSI", "\u{9B}"), Steering("OSC", "\u{9D}"), Steering("ST", "\u{9C}"),
        Steering("right-to-left override", "\u{202E}"),
        Steering("left-to-right embedding", "\u{202A}"),
        Steering("first strong isolate", "\u{2068}"), Steering("zero width joiner", "\u{200D}"),
        Steering("line separator", "\u{2028}"), Steering("byte order mark", "\u{FEFF}"),
        Steering("tag", "\u{E0041}"), Steering("private use", "\u{E000}"),
    ]
}

@Suite struct `A finding on standard error` {
    @Test(.requirement("ERR-15"), arguments: Steering.all)
    fileprivate func `spells out what would steer a terminal`(steering: Steering) {
        let group = "TEAM." + String(steering.scalar) + "[2Jgroup"
        let finding = Finding(
            .refusal,
            verb: .add,
            item: .genericPassword,
            status: .missingEntitlement,
            detail: group
        )
        let line = String(decoding: DiagnosticOutput.line(for: finding), as: UTF8.self)
        let spelled = "\\u{" + String(steering.scalar.value, radix: 16) + "}"
        #expect(line.contains("TEAM." + spelled + "[2Jgroup"))
        #expect(line.unicodeScalars.dropLast().allSatisfy { !VisibleText.isHidden($0) })
        #expect(line.hasSuffix("\n"))
    }
}
