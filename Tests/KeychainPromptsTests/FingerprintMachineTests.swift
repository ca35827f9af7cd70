import KeychainHost
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainPrompts

/// Serialized: each test has a message bus and a fingerprint service of its own.
@Suite(.serialized) struct `A fingerprint reader that fprintd serves` {
    private let machine: FingerprintMachine

    init() throws { machine = try FingerprintMachine() }

    private static let cue = "Touch the reader (Ctrl-C: cancel). "

    private func item(_ account: String) -> AttributeDictionary {
        .of(.genericPassword, [.account: .string(account), .service: .string("mail")])
    }

    private func add(_ account: String, _ flags: AccessControl.Flags) throws {
        let control = AccessControl(protection: .whenPasscodeSetThisDeviceOnly, flags: flags)
        var item = item(account)
        item[.accessControl] = .accessControl(control)
        item[.valueData] = .secret(FingerprintMachine.secret("value of \(account)"))
        _ = try machine.endpoint.send(.add(item))
    }

    /// The value, or the status in its place, and what the screen showed.
    private func read(
        _ account: String,
        _ typing: (after: String, text: String)...
    ) -> (value: String, screen: String) {
        let endpoint = machine.endpoint
        var query = item(account)
        query[.returnData] = .bool(true)
        let asked = query
        // The session's answer carries the value as if it were typed.
        let (answer, screen) = machine.terminal.session(typing) {
            do throws(KeychainError) {
                guard case .result(.data(let secret)) = try endpoint.send(.copyMatching(asked))
                else { return .nothing }
                return .typed(secret)
            } catch {
                return .presented(Array("\(error.status.rawValue)".utf8))
            }
        }
        switch answer {
        case .typed(let value), .presented(let value): return (value, screen)
        default: return ("\(answer)", screen)
        }
    }

    @Test(.requirement("BIO-24"))
    func `satisfies a constraint with a match, and with nothing else`() throws {
        try machine.fprintd("finger right-thumb", "verify verify-match")
        try add("ada", .biometryAny)
        let (value, screen) = read("ada")
        #expect(value == "value of ada")
        #expect(screen.contains("mailer asks for your finger.\r\n" + Self.cue))
        try machine.fprintd("finger right-thumb", "verify verify-no-match")
        #expect(read("ada").value == "-25293")
        try machine.fprintd("finger right-thumb", "verify verify-disconnected")
        #expect(read("ada").value == "-25293")
        try machine.fprintd("absent")
        let (absent, nothing) = read("ada")
        #expect(absent == "-25293")
        #expect(nothing.isEmpty)
        try machine.fprintd("finger right-thumb", "verify verify-match")
        #expect(read("ada").value == "value of ada")
    }

    /// ★ Without a finger to match: no reader, and a reader that knows no finger.
    @Test(.requirement("BIO-24"), arguments: ["absent", ""])
    func `that is not there counts as one that knows no finger`(state: String) throws {
        try machine.fprintd("finger right-thumb", "verify verify-match")
        try add("finger", .biometryAny)
        try add("either", .userPresence)
        try add("typed", .devicePasscode)
        try machine.fprintd(state)
        #expect(throws: KeychainError(.authFailed, "")) { try add("new", .biometryAny) }
        let (refused, nothing) = read("finger")
        #expect(refused == "-25293")
        #expect(nothing.isEmpty)
        let passcode = (after: "Passcode: ", text: FingerprintMachine.passcode + "\n")
        let readings = ["either", "typed"].map { read($0, passcode) }
        #expect(readings.map(\.value) == ["value of either", "value of typed"])
        #expect(!readings.contains { $0.screen.contains("Touch the reader") })
        #expect(read("either", (after: "Passcode: ", text: "wrong\n")).value == "-25293")
    }

    @Test func `is asked for once more after a bad scan`() throws {
        try machine.fprintd(
            "finger right-thumb",
            "verify verify-retry-scan",
            "verify verify-match"
        )
        try add("ada", .userPresence)
        let (value, screen) = read("ada")
        #expect(value == "value of ada")
        #expect(screen.contains("Once more."))
    }

    @Test func `leaves the passcode for who has no finger at hand`() throws {
        try machine.fprintd("finger right-thumb")
        try add("ada", .userPresence)
        let cue = "Touch the reader (Ctrl-C: cancel; Return: passcode). "
        let (value, _) = read(
            "ada",
            (cue, "\n"),
            ("Passcode: ", FingerprintMachine.passcode + "\n")
        )
        #expect(value == "value of ada")
        #expect(read("ada", (cue, "\u{3}")).value == "-128")
        try machine.fprintd("finger right-thumb", "verify verify-no-match")
        let typed = (after: "Passcode: ", text: FingerprintMachine.passcode + "\n")
        #expect(read("ada", typed).value == "value of ada")
    }

    /// This machine follows Apple's source, where such an item counts as absent.
    ///
    /// - Source: the behavior profile `appleSource`.
    @Test(.requirement("BIO-25"))
    func `ends what was for the fingers of its time when another is enrolled`() throws {
        try machine.fprintd("finger right-thumb", "verify verify-match")
        try add("current", .biometryCurrentSet)
        try add("any", .biometryAny)
        #expect(read("current").value == "value of current")
        try machine.fprintd("finger right-thumb", "finger left-thumb", "verify verify-match")
        let (value, screen) = read("current")
        #expect(value == "-25300")
        #expect(screen.isEmpty)
        #expect(read("any").value == "value of any")
        try machine.fprintd("finger right-thumb", "verify verify-match")
        #expect(read("current").value == "-25300")
        #expect(read("any").value == "value of any")
    }

    @Test(arguments: ["absent", ""])
    func `has to know a finger when an item is to demand one`(state: String) throws {
        try machine.fprintd(state)
        #expect(throws: KeychainError(.authFailed, "")) { try add("ada", .biometryAny) }
    }

    @Test func `loses nothing for the current fingers while it is unplugged`() throws {
        try machine.fprintd("finger right-thumb", "verify verify-match")
        try add("current", .biometryCurrentSet)
        try machine.fprintd("absent")
        #expect(read("current").value == "-25293")
        try machine.fprintd("finger right-thumb", "verify verify-match")
        #expect(read("current").value == "value of current")
    }
}
