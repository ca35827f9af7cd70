import EngineTestSupport
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// A way to damage the handle key of one class, or to replace it.
private struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    /// Whether the row is still there under its name.
    let leavesRow: Bool

    init(_ change: String, leavesRow: Bool = true) {
        testDescription = change
        sql = "UPDATE handle_keys SET \(change) WHERE class = 9"
        self.leavesRow = leavesRow
    }

    static let all = [
        Damage("sealed = zeroblob(108)"), Damage("sealed = x''"), Damage("sealed = x'00'"),
        Damage("sealed = sealed || x'00'"),
        Damage("sealed = (SELECT sealed FROM handle_keys WHERE class = 6)"),
        Damage("key_set = zeroblob(16)", leavesRow: false),
        Damage("class = 12", leavesRow: false),
    ]
}

@Suite struct `Bytes that are no handle of this keychain` {
    private static let forms: [(flags: AccessControl.Flags?, isEarlier: Bool)] = [
        (nil, false), (.privateKeyUsage, false), ([.privateKeyUsage, .devicePasscode], false),
        (nil, true),
    ]

    @Test(arguments: forms.indices, [1, 0x80] as [UInt8])
    func `are refused, at every length and with every byte changed`(
        form: Int,
        bits: UInt8
    ) throws {
        let (flags, isEarlier) = Self.forms[form]
        let fixture = try EngineFixture.owned()
        let program = HandleProgram(fixture.engine, asking: OwnerPrompter())
        let handle =
            try isEarlier
            ? fixture.earlierHandle(.whenUnlockedThisDeviceOnly)
            : program.make(.whenUnlockedThisDeviceOnly, flags)
        #expect(program.status(handle.encoded) == .success)
        let spoiled = SpoiledBytes.all(of: handle.encoded, flipping: bits)
        let accepted = spoiled.filter { program.status($0) == .success }
        #expect(accepted == [])
        #expect(try fixture.faults() == [])
    }

    @Test func `are refused with the parts of another handle`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let own = try program.make(.whenUnlocked)
        let other = try program.make(.always)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        let later = try program.make(.whenUnlocked)
        let mixtures = [
            own.with(protection: other.protection), own.with(keySet: later.keySet),
            own.with(publicPoint: later.publicPoint),
            own.with(sealedPrivateHalf: later.sealedPrivateHalf), own.with(keySet: .some(nil)),
            later.with(keySet: own.keySet),
        ]
        #expect(mixtures.map(program.status) == mixtures.map { _ in .decode })
        #expect([own, other, later].map(program.status) == [.success, .success, .success])
    }

    @Test func `ask nobody`() throws {
        let fixture = try EngineFixture.owned()
        let other = try EngineFixture.owned()
        let flags: AccessControl.Flags = [.privateKeyUsage, .devicePasscode]
        let handle = try HandleProgram(other.engine).make(.whenUnlocked, flags)
        let unattended = HandleProgram(fixture.engine)
        #expect(unattended.status(handle) == .decode)
        #expect(HandleProgram(other.engine).status(handle) == .interactionNotAllowed)
    }
}

@Suite struct `A handle key` {
    @Test(arguments: Damage.all)
    fileprivate func `that is damaged closes the handles of its class, and no others`(
        damage: Damage
    ) throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let others = try [ProtectionClass.whenUnlocked, .always].map { try program.make($0) }
        let handle = try program.make()
        let stored = try program.make(isPermanent: true)
        try fixture.execute([damage.sql])
        #expect([handle, stored].map(program.status) == [.decode, .decode])
        #expect([handle, stored].map(program.checked) == [.decode, .decode])
        #expect(others.map(program.status) == [.success, .success])
        #expect(try fixture.faults().isEmpty == false)
        if damage.leavesRow {
            // Above all, nothing is made under a key that somebody put there.
            let refusal = #expect(throws: KeychainError.self) { _ = try program.make() }
            #expect(refusal?.status == .decode)
        }
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        let warnings = try fixture.engine.takeWarnings().map(\.reason)
        #expect(warnings == ["1 keys of handles do not open and stay so; run keychainctl check"])
        #expect(others.map(program.status) == [.success, .success])
        #expect(program.status(try program.make()) == .success)
        #expect(try fixture.handleKeyCount() == 4)
    }

    @Test func `that is gone is told by a check, if a stored key needs it`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let stored = try program.make(isPermanent: true)
        try fixture.execute(["DELETE FROM handle_keys"])
        #expect(program.status(stored) == .decode)
        let faults = try fixture.faults()
        #expect(faults.count == 1)
        guard case .row(let row)? = faults.first else {
            Issue.record("another fault: \(faults)")
            return
        }
        #expect(row.part == .value)
    }

    /// Whoever can write the database may swap the names of two keys: one of them opens with what
    /// was kept from before the change of passcode.
    @Test func `of an earlier key set is not used for new handles`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let early = try program.make()
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        let late = try program.make()
        #expect(early.keySet != late.keySet)
        try fixture.execute([
            "CREATE TEMP TABLE swap AS SELECT key_set, sealed FROM handle_keys",
            """
            UPDATE handle_keys SET sealed =
                (SELECT sealed FROM swap WHERE swap.key_set != handle_keys.key_set)
            """,
            "DROP TABLE swap",
        ])
        let refusal = #expect(throws: KeychainError.self) { _ = try program.make() }
        #expect(refusal?.status == .decode)
        #expect([early, late].map(program.status) == [.decode, .decode])
    }

    @Test func `is made once for each class and key set`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        _ = try (0..<3).map { _ in try program.make() }
        #expect(try fixture.handleKeyCount() == 1)
        _ = try program.make(.whenUnlocked)
        #expect(try fixture.handleKeyCount() == 2)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("2222"), current: passcode)
        #expect(try fixture.handleKeyCount() == 2)
        _ = try program.make()
        #expect(try fixture.handleKeyCount() == 3)
    }

    /// The bytes of Documentation/Spec/item.md §8, which another implementation made.
    @Test func `has the envelope that the specification shows`() throws {
        let envelope: [String] = [
            "b0b1b2b3b4b5b6b7b8b9babb",
            "46944336ad3494db79f3821c76b92770d476b117a429083576c01a196bdebe96",
            "c9d5a0018ee42acf1cb721625c75e9ff",
            "b3a3d11b05ac323c83dc17d937d38d2b2a7ee0821dbeaec2b4838765a172e5bc",
            "a5c791798d662ec8860d84146b6a3520",
        ]
        let row = HandleKeyRow(
            keySet: Array(0xF0...0xFF),
            protection: .whenUnlockedThisDeviceOnly,
            sealed: bytes(envelope.joined())
        )
        let classKey = ClassKey(Secret(copying: Array(0x60...0x7F)))
        let key = try HandleKey(opening: row, under: classKey)
        #expect(key.secret.secret.copyBytesUnprotected() == Array(0x40...0x5F))
        let head = "68616e646c65206b657909f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
        #expect(row.associatedData == bytes(head))
        let sealed = try classKey.sealEnvelope(
            key.secret.secret,
            key: Secret(copying: Array(0xA0...0xBF)),
            nonce: Array(0xB0...0xBB),
            authenticating: row.associatedData
        )
        #expect(sealed == row.sealed)
    }
}

extension ElementKeyHandle {
    /// The same with other parts.
    fileprivate func with(
        protection: ProtectionClass? = nil,
        publicPoint: [UInt8]? = nil,
        keySet: [UInt8]?? = nil,
        sealedPrivateHalf: [UInt8]? = nil
    ) -> ElementKeyHandle {
        ElementKeyHandle(
            protection: protection ?? self.protection,
            accessControl: accessControl,
            publicPoint: publicPoint ?? self.publicPoint,
            keySet: keySet ?? self.keySet,
            sealedPrivateHalf: sealedPrivateHalf ?? self.sealedPrivateHalf
        )
    }
}
