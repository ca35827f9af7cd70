import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import SecureElementTPM

@Suite(.enabled(if: TestTPM.program != nil, "swtpm is not installed: run Scripts/setup.sh"))
struct `A TPM that fails` {
    private let tpm: TestTPM
    private let storage = MemoryStorage()

    init() throws {
        tpm = try TestTPM()
        try element(on: tpm, storage).prepare()
    }

    @Test func `in the middle of a conversation is reported`() throws {
        var connection = TPMConnection(to: tpm.place, library: try TPMLibrary())
        try connection.open()
        let blob = try connection.makeKey()
        try connection.load(blob)
        _ = try connection.authenticate(Secret(copying: [1]))
        tpm.stop()
        do throws(DeviceError) {
            _ = try connection.authenticate(Secret(copying: [1]))
            Issue.record("a TPM that is gone has answered")
        } catch {
            guard case .element(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.contains("cannot be reached") && reason.contains(tpm.place))
        }
    }

    @Test func `is reported for as long as it is gone, and then all is as before`() throws {
        let element = SecureElementTPMTests.element(on: tpm, storage)
        let attempts = PasscodeAttempts(failures: 2, delayStartedAt: nil)
        try element.recordAttempts(attempts)
        let file = storage.read(.secureElement)
        tpm.stop()
        #expect(try reason { _ = try element.attempts() }.contains("cannot be reached"))
        #expect(try reason { try element.recordAttempts(.none) }.contains("cannot be reached"))
        #expect(try reason { try element.erase() }.contains("cannot be reached"))
        #expect(storage.read(.secureElement) == file)
        try tpm.start()
        #expect(try element.attempts() == attempts)
    }

    @Test func `because others fill it is reported, and works again once they are gone`() throws {
        let element = SecureElementTPMTests.element(on: tpm, storage)
        #expect(try reason { try fill() }.contains("no room for another object"))
        #expect(try reason { _ = try element.attempts() }.contains("no room for another object"))
        try tpm.restart()
        #expect(try element.attempts() == .none)
    }

    /// Derives storage keys and forgets to flush them, until there is no room.
    private func fill() throws {
        var connection = TPMConnection(to: tpm.place, library: try TPMLibrary())
        try connection.open()
        while true { try connection.deriveStorageKey() }
    }

    @Test func `leaves nothing behind in the TPM, however often it is asked`() throws {
        let element = SecureElementTPMTests.element(on: tpm, storage)
        for _ in 0..<12 { _ = try element.attempts() }
        let foreign = MemoryStorage()
        let otherTPM = try TestTPM()
        defer { otherTPM.stop() }
        try SecureElementTPMTests.element(on: otherTPM, foreign).prepare()
        let refused = SecureElementTPMTests.element(on: tpm, foreign)
        for _ in 0..<12 { #expect(throws: DeviceError.self) { try refused.attempts() } }
        #expect(try element.attempts() == .none)
    }

    @Test(arguments: ["nonsense:x", "swtpm:path=/nowhere/at/all", "device:/dev/null/tpm"])
    func `to be there at all is reported`(place: String) throws {
        let element = ChipSecureElement(chip: TPMChip(place: place), storage: storage)
        #expect(try reason { _ = try element.attempts() }.contains("the TPM at \(place)"))
    }
}

@Suite struct `An answer of the TPM` {
    @Test(arguments: [
        (0x0A000A, "it cannot be reached (0xa000a)"),
        (0x902, "it has no room for another object"),
        (0x903, "it has no room for another session"),
        (0x921, "it is locked out"),
        (0x9A2, "a password protects its owner hierarchy"),
        (0x185, "its owner hierarchy is disabled"),
        (0x1DF, "the key was changed, or belongs to another TPM"),
        (0x100, "it was not started"),
        (0x101, "it is in failure mode"),
        (0x922, "it is busy; try again"),
        (0xB0902, "it has no room for another object"),
        (0x7000A, "in libtss2's words (0x7000a)"),
    ])
    func `is put into words`(code: UInt32, words: String) {
        let reason = TPMFault(code: code).reason(decoded: "in libtss2's words")
        #expect(reason.hasPrefix(words))
    }
}
