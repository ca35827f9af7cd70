import KeychainModel
import TestSupport
import Testing

@testable import KeychainPrompts

private let texts = [
    "[nobody] /srv/mailer asks for the keychain's passcode. The program says: “open mail”",
    "[nobody] /srv/" + String(repeating: "a", count: 95) + " asks for your finger.",
    "[nobody] /srv/x asks. The program says: “" + String(repeating: "r ", count: 150) + "”",
    "[nobody] /srv/x asks. The program says: “" + String(repeating: "   [verified]", count: 20),
    "[nobody] /srv/" + String(repeating: "漢", count: 200),
    "[nobody] /srv/x\nComment: “" + String(repeating: "k", count: 300) + "”",
    "y" + String(repeating: " ", count: 500) + "x", "", "one",
]

@Suite struct `The lines of a dialog` {
    @Test(.requirement("HRD-12"), arguments: texts)
    func `are as wide as a terminal at most, and lose nothing`(text: String) {
        let broken = DialogLines.broken(text)
        let lines = broken.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
            #expect(columns <= DialogLines.width)
        }
        #expect(broken.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test(.requirement("HRD-12"), arguments: texts)
    func `begin at the left edge only where a line of the text begins`(text: String) {
        let starts = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        let found = DialogLines.broken(text).split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(found.count == starts.count)
    }

    @Test func `stay as they are where there is room`() {
        let text = "[verified] /usr/bin/mailer asks for the keychain's passcode.\nsecond  line "
        #expect(DialogLines.broken(text) == text)
    }
}
