import EngineTestSupport
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `A gated row` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .owned()
        keychain = fixture.attended()
    }

    private func add(_ account: String, _ flags: AccessControl.Flags) {
        #expect(keychain.add(password(account).gated(flags), "value of \(account)") == .success)
    }

    private func rows() throws -> [SealedRow] {
        try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rows(.everything, withSecrets: true)
        }
    }

    private func put(_ row: SealedRow) throws {
        try fixture.inside { state throws(KeychainError) in
            _ = try state.vault.store.replace(row)
        }
    }

    /// What reading gives with one byte of a half changed, at each place in turn.
    private func readings(
        flipping half: WritableKeyPath<SealedItem, [UInt8]>
    ) throws -> Set<Reading> {
        let original = try #require(try rows().first)
        let found = try original.item[keyPath: half].indices.map { index in
            var changed = original
            changed.item[keyPath: half][index] ^= 0x01
            try put(changed)
            return keychain.read(password("ada"))
        }
        try put(original)
        #expect(keychain.read(password("ada")) == .value("value of ada"))
        return Set(found)
    }

    @Test(.requirement("SAC-37"))
    func `whose access control is edited is lost, not weakened`() throws {
        add("ada", .biometryAny)
        let edited = try readings(flipping: \.metadata)
        #expect(edited == [.notFound])
    }

    @Test(.requirement("SAC-37"))
    func `whose gate or value is edited gives nothing`() throws {
        add("ada", [.biometryAny, .applicationPassword])
        let edited = try readings(flipping: \.valueHalf)
        // A changed name of a set or a changed leaf is a proof that does not fit.
        #expect(edited.isSubset(of: [.notFound, Reading(.authFailed, nil)]))
    }

    /// What somebody with a pen puts into ada's row, taken from bob's.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Bob's.
        let flags: AccessControl.Flags
        let forge: @Sendable (inout SealedItem, SealedItem) -> Void

        init(
            _ description: String,
            _ flags: AccessControl.Flags,
            _ forge: @escaping @Sendable (inout SealedItem, SealedItem) -> Void
        ) {
            testDescription = description
            self.flags = flags
            self.forge = forge
        }
    }

    private static let forgeries = [
        Forgery("attributes of an ungated row", []) { $0.metadata = $1.metadata },
        Forgery("the value of an ungated row", []) { $0.secret = $1.secret },
        Forgery("both halves of an ungated row", []) {
            $0.metadata = $1.metadata
            $0.secret = $1.secret
        },
        Forgery("attributes of a weaker row", .companion) { $0.metadata = $1.metadata },
        Forgery("the value of a weaker row", .companion) { $0.secret = $1.secret },
        Forgery("the gate of a weaker row", .companion) { $0.takeGate(of: $1) },
        Forgery("no gate", .companion) { item, _ in item.dropGate() },
        Forgery("no value", []) { item, _ in item.secret = nil },
        Forgery("an empty value", []) { item, _ in item.secret = [] },
    ]

    @Test(.requirement("SAC-37"), arguments: forgeries)
    func `does not open with parts of another`(forgery: Forgery) throws {
        add("ada", .devicePasscode)
        add("bob", forgery.flags)
        let both = try rows()
        var forged = try #require(both.first)
        forgery.forge(&forged.item, try #require(both.last).item)
        try put(forged)
        let reading = keychain.read(password("ada"))
        #expect(reading.value == nil)
        #expect([.itemNotFound, .authFailed].contains(reading.status))
        #expect(keychain.read(password("bob")) == .value("value of bob"))
        #expect(keychain.delete(password("ada")) == .success)
    }

    @Test func `has the size that its format says`() throws {
        add("ada", [.userPresence, .applicationPassword])
        let row = try #require(try rows().first)
        let half = try #require(row.item.secret.flatMap(GatedHalf.init))
        // all( any(biometry, passcode), password )
        #expect(half.gate.count == 2 + (2 + 73 + 73) + 69 + 40)
        #expect(half.body.count == 40 + 12 + "value of ada".utf8.count + 16)
    }

    @Test(arguments: ["value of ada", "application", EngineFixture.passcode])
    func `shows neither value nor password`(word: String) throws {
        add("ada", [.userPresence, .applicationPassword])
        let row = try #require(try rows().first)
        let bytes = row.item.metadata + (row.item.secret ?? [])
        #expect(bytes.firstRange(of: Array(word.utf8)) == nil)
    }

    @Test func `is sealed anew under the same gate by an update`() throws {
        add("ada", .userPresence)
        let before = try #require(try rows().first?.item.secret.flatMap(GatedHalf.init))
        #expect(keychain.update(password("ada"), "new") == .success)
        let after = try #require(try rows().first?.item.secret.flatMap(GatedHalf.init))
        #expect(after.gate == before.gate)
        #expect(after.body != before.body)
        #expect(keychain.read(password("ada")) == .value("new"))
    }

    @Test(arguments: [[], [2], [2, 0], [2, 255, 255, 1], [1, 0, 0], [0, 0, 0]] as [[UInt8]])
    func `is not misread when its frame is damaged`(bytes: [UInt8]) {
        #expect(GatedHalf(bytes) == nil)
    }

    @Test func `asks where nobody can answer, and is refused`() throws {
        add("ada", .userPresence)
        #expect(fixture.keychain.read(password("ada")) == .notAllowed)
    }

    @Test(arguments: [PromptAnswer.impossible, .nothing, .interrupted, .approved, .fallback])
    func `gives up for good answers to other questions`(answer: PromptAnswer) throws {
        add("ada", .devicePasscode)
        let stubborn = TestKeychain(
            EngineEndpoint(
                engine: fixture.engine,
                caller: TestKeychain.caller(EngineFixture.groups),
                prompter: OneAnswer(answer: answer),
                note: { _ in }
            )
        )
        let status = stubborn.read(password("ada")).status
        if case .impossible = answer {
            #expect(status == .interactionNotAllowed)
        } else {
            #expect(status == .authFailed)
        }
    }
}

/// Gives the same answer to every prompt.
private struct OneAnswer: Prompter {
    let answer: PromptAnswer

    func answer(_ prompt: Prompt) -> PromptAnswer { answer }
}

extension SealedItem {
    /// The value's half; empty for a tombstone.
    fileprivate var valueHalf: [UInt8] {
        get { secret ?? [] }
        set { secret = newValue }
    }

    fileprivate mutating func takeGate(of other: SealedItem) {
        guard let own = secret.flatMap(GatedHalf.init),
            let theirs = other.secret.flatMap(GatedHalf.init)
        else { return }
        secret = GatedHalf.encode(gate: theirs.gate, body: Array(own.body))
    }

    fileprivate mutating func dropGate() {
        guard let own = secret.flatMap(GatedHalf.init) else { return }
        secret = [1] + own.body
    }
}
