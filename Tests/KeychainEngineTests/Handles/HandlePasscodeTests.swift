import EngineTestSupport
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// What its owner does to a passcode, one after the other.
private enum Step: String, Sendable, CustomTestStringConvertible {
    case set, change, rekey, remove, restart

    var testDescription: String { rawValue }

    /// Does it, and unlocks.
    ///
    /// - Returns: The passcode of then; nil for none.
    func carryOut(on fixture: EngineFixture, _ passcode: String?) throws -> String? {
        let engine = fixture.engine
        let current = passcode.map(EngineFixture.secret)
        var next = passcode
        switch self {
        case .set: next = "1111"
        case .change: next = passcode.map { $0 + "2" }
        case .rekey: break
        case .remove: next = nil
        case .restart: try engine.reboot()
        }
        switch (self, current, next) {
        case (.restart, _, _): break
        case (.remove, let current?, _): try engine.removePasscode(current: current)
        case (_, _, let next?):
            try engine.setPasscode(EngineFixture.secret(next), current: current)
        default: throw SystemRefusal("there is no passcode to \(rawValue)")
        }
        if let next { try fixture.unlock(next) }
        return next
    }
}

/// What becomes of a passcode while a program keeps a handle.
private struct Story: Sendable, CustomTestStringConvertible {
    /// The passcode under which the handle is made; nil for none.
    let first: String?
    let steps: [Step]

    var testDescription: String {
        ([first ?? "none"] + steps.map(\.rawValue)).joined(separator: " ")
    }

    init(_ first: String?, _ steps: [Step]) {
        self.first = first
        self.steps = steps
    }

    static let all = [
        Story(nil, [.set]),
        Story(nil, [.set, .change, .change, .rekey, .restart]),
        Story("1111", [.change]),
        Story("1111", [.rekey]),
        Story("1111", [.restart, .change, .restart, .change, .restart]),
        Story("1111", [.remove]),
        Story("1111", [.change, .remove, .set, .change]),
    ]
}

@Suite struct `A handle that a program keeps by itself` {
    private static let lasting = ProtectionClass.allCases.filter { !$0.requiresPasscode }

    @Test(.requirement("KEY-23"), arguments: Story.all, [false, true])
    fileprivate func `works on after whatever becomes of the passcode`(
        story: Story,
        isStored: Bool
    ) throws {
        let fixture = try EngineFixture(passcode: story.first)
        if let first = story.first { try fixture.unlock(first) }
        let program = HandleProgram(fixture.engine)
        var passcode = story.first
        var handles = try Self.lasting.map { try program.make($0, isPermanent: isStored) }
        let broken = try story.steps.filter { step in
            passcode = try step.carryOut(on: fixture, passcode)
            let statuses = handles.map(program.status) + handles.map(program.checked)
            // Those that are made on the way have to last as well.
            if !isStored { handles.append(try program.make()) }
            return statuses.contains { $0 != .success }
        }
        #expect(broken == [])
        if isStored { #expect(Set(try program.stored()) == Set(handles)) }
        #expect(try fixture.faults() == [])
        #expect(try fixture.engine.takeWarnings() == [])
    }

    @Test(.requirement("KEY-20"))
    func `ends with the passcode if its class needs one, and does not come back`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let handle = try program.make(.whenPasscodeSetThisDeviceOnly)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        #expect(program.status(handle) == .success)
        let later = try program.make(.whenPasscodeSetThisDeviceOnly)
        try fixture.engine.removePasscode(current: EngineFixture.secret("2222"))
        #expect([handle, later].map(program.status) == [.authFailed, .authFailed])
        #expect([handle, later].map(program.checked) == [.authFailed, .authFailed])
        #expect(try fixture.handleKeyCount() == 0)
        try fixture.engine.setPasscode(passcode, current: nil)
        #expect([handle, later].map(program.status) == [.decode, .decode])
        #expect([handle, later].map(program.checked) == [.decode, .decode])
        let new = try program.make(.whenPasscodeSetThisDeviceOnly)
        #expect(program.status(new) == .success)
        #expect(try fixture.faults() == [])
    }

    @Test(
        .requirement("KEY-20"),
        arguments: [
            ([.devicePasscode], false), ([.userPresence], false), ([.biometryAny], false),
            ([.biometryCurrentSet], false), ([.companion], false), ([.applicationPassword], true),
            ([.or, .biometryAny, .devicePasscode], false), ([], true),
        ] as [(AccessControl.Flags, Bool)]
    )
    func `ends with the passcode if its access control needs one`(
        flags: AccessControl.Flags,
        lasts: Bool
    ) throws {
        let fixture = try EngineFixture.owned()
        let prompter = OwnerPrompter(passcode: { EngineFixture.secret("2222") })
        let first = HandleProgram(fixture.engine, asking: OwnerPrompter())
        let program = HandleProgram(fixture.engine, asking: prompter)
        let handle = try first.make(.whenUnlocked, flags.union(.privateKeyUsage))
        #expect(first.status(handle) == .success)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        #expect(program.status(handle) == .success)
        try fixture.engine.removePasscode(current: EngineFixture.secret("2222"))
        #expect((program.status(handle) == .success) == lasts)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: nil)
        #expect((program.status(handle) == .success) == lasts)
    }

    @Test func `follows the lock state of its class after a change of the passcode`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let classes = ProtectionClass.allCases
        let handles = try classes.map { try program.make($0) }
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        try fixture.engine.lock()
        let locked = handles.map { program.status($0) == .success }
        #expect(locked == classes.map { $0.availability != .whenUnlocked })
        #expect(program.status(handles[0]) == .interactionNotAllowed)
        #expect(handles.map(program.checked) == handles.map { _ in .success })
        try fixture.engine.reboot()
        let restarted = handles.map { program.status($0) == .success }
        #expect(restarted == classes.map { $0.availability == .always })
        try fixture.unlock("2222")
        #expect(handles.map(program.status) == handles.map { _ in .success })
    }

    @Test func `is made while the device is locked if its class is open`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        try fixture.engine.lock()
        let handle = try program.make(.afterFirstUnlockThisDeviceOnly)
        #expect(program.status(handle) == .success)
        let refusal = #expect(throws: KeychainError.self) { _ = try program.make() }
        #expect(refusal?.status == .interactionNotAllowed)
        #expect(try fixture.handleKeyCount() == 1)
    }

    @Test(.requirement("KEY-11"))
    func `does not open on another device, in any lock state`() throws {
        let fixture = try EngineFixture.unlocked()
        let other = try EngineFixture.unlocked()
        let elsewhere = HandleProgram(other.engine)
        let classes = ProtectionClass.allCases
        let handles = try classes.map { try HandleProgram(fixture.engine).make($0) }
        // The other device has keys of its own for all classes.
        _ = try classes.map { try elsewhere.make($0) }
        #expect(handles.map(elsewhere.status) == handles.map { _ in .decode })
        #expect(handles.map(elsewhere.checked) == handles.map { _ in .decode })
        try other.engine.lock()
        #expect(handles.map(elsewhere.checked) == handles.map { _ in .decode })
    }

    @Test(.requirement("KEY-20")) func `ends with a factory reset`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let handles = try Self.lasting.map { try program.make($0) }
        try fixture.engine.erase()
        #expect(handles.map(program.status) == handles.map { _ in .decode })
        #expect(try fixture.handleKeyCount() == 0)
        #expect(program.status(try program.make()) == .success)
    }

    @Test func `is in no backup, and a restore leaves it as it is`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let handle = try program.make()
        fixture.keychain.add(password("ada", [.accessible: .string(.whenUnlocked)]))
        let words = EngineFixture.secret("backup")
        var backup: [UInt8] = []
        _ = try fixture.engine.backup(password: words) { part throws(KeychainError) in
            backup += part
        }
        func restore(on engine: Engine) throws {
            var rest = backup[...]
            _ = try engine.restore(password: words) { count throws(KeychainError) in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
        }
        try restore(on: fixture.engine)
        #expect(program.status(handle) == .success)
        let other = try EngineFixture.unlocked()
        try restore(on: other.engine)
        #expect(HandleProgram(other.engine).status(handle) == .decode)
        #expect(try other.handleKeyCount() == 0)
    }
}
