import TestSupport
import Testing

@testable import KeychainSync

@Suite struct `Choosing the chain of a circle` {
    @Test func `one keeper makes one chain`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("one", after: "founding", by: ["ada"], add: ["bob"])
        try script.say("two", after: "one", by: ["ada"], add: ["cyd"])
        try script.say("three", after: "two", by: ["ada"], remove: ["bob"])
        #expect(try script.path() == ["one", "two", "three"])
        #expect(try script.members() == ["ada", "cyd"])
    }

    @Test func `the keeper who came first decides between two links`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("bob", after: "founding", by: ["ada"], keepers: ["bob"])
        try script.say("hers", after: "bob", by: ["ada"], add: ["cyd"], sorting: 0xFF)
        try script.say("his", after: "bob", by: ["bob"], add: ["dan"], sorting: 0)
        #expect(try script.path() == ["bob", "hers"])
        let chain = try script.chain()
        let fault = chain.faults[try script.link("his").digest]
        #expect(fault == .overruled(by: try ChainScript.name("ada")))
    }

    @Test func `a removed keeper cannot undo what an earlier one signed`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("bob", after: "founding", by: ["ada"], keepers: ["bob"])
        try script.say("out", after: "bob", by: ["ada"], remove: ["bob"])
        try script.say("lie", after: "bob", by: ["bob"], remove: ["ada"], sorting: 0)
        try script.say("more", after: "lie", by: ["bob"], keepers: ["eve"], sorting: 0)
        #expect(try script.path() == ["bob", "out"])
    }

    @Test func `the recovery key removes a stolen founder for good`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("bob", after: "founding", by: ["ada"], keepers: ["bob"])
        try script.say("out", after: "bob", by: ["paper"], remove: ["ada"], paper: nil)
        try script.say("lie", after: "founding", by: ["ada"], keepers: ["eve"], sorting: 0)
        try script.say("lie2", after: "bob", by: ["ada"], remove: ["bob"], sorting: 0)
        #expect(try script.path() == ["bob", "out"])
        #expect(try script.members() == ["bob"])
    }

    @Test func `an old recovery key cannot undo its replacement if it signed that`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("new", after: "founding", by: ["paper", "ada"], paper: "paper2")
        try script.say("lie", after: "founding", by: ["paper"], keepers: ["eve"], sorting: 0)
        try script.say("lie2", after: "lie", by: ["paper"], remove: ["ada"], sorting: 0)
        #expect(try script.path() == ["new"])
    }

    @Test func `two links that one key signed show that somebody has a copy of it`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("one", after: "founding", by: ["ada"], add: ["bob"])
        try script.say("two", after: "founding", by: ["ada"], add: ["cyd"])
        #expect(try script.chain().forkers == [try ChainScript.name("ada")])
    }

    /// A link that does not count, and why.
    struct Ignored: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: @Sendable () throws -> LinkFault
        let say: @Sendable (inout ChainScript) throws -> Void
    }

    static let ignored: [Ignored] = [
        Ignored(testDescription: "a device that is in the circle") {
            .addedAgain(try ChainScript.name("bob"))
        } say: {
            try $0.say("x", after: "two", by: ["ada"], add: ["bob"])
        },
        Ignored(testDescription: "a device that was in the circle") {
            .addedAgain(try ChainScript.name("cyd"))
        } say: {
            try $0.say("x", after: "two", by: ["ada"], add: ["cyd"])
        },
        Ignored(testDescription: "a removal of a stranger") {
            .removesStranger(try ChainScript.name("eve"))
        } say: {
            try $0.say("x", after: "two", by: ["ada"], remove: ["eve"])
        },
        Ignored(testDescription: "a removal of a signer") {
            .removesSigner(try ChainScript.name("ada"))
        } say: {
            try $0.say("x", after: "two", by: ["ada"], remove: ["ada"])
        },
        Ignored(testDescription: "a promotion of a keeper") {
            .cannotPromote(try ChainScript.name("ada"))
        } say: {
            try $0.say("x", after: "two", by: ["ada"], promote: ["ada"])
        },
        Ignored(testDescription: "a signer who is no keeper") {
            .noSuchSigner
        } say: {
            try $0.say("x", after: "two", by: ["bob"], add: ["eve"])
        },
        Ignored(testDescription: "the same recovery key") {
            .sameRecovery
        } say: {
            try $0.say("x", after: "two", by: ["ada"], paper: "paper")
        },
        Ignored(testDescription: "a recovery key that is a member's") {
            .recoveryKeyOfDevice
        } say: {
            try $0.say("x", after: "two", by: ["ada"], paper: "bob")
        },
        Ignored(testDescription: "a recovery key that was a member's") {
            .recoveryKeyOfDevice
        } say: {
            try $0.say("x", after: "two", by: ["ada"], paper: "cyd")
        },
        Ignored(testDescription: "a recovery key that is a newcomer's") {
            .recoveryKeyOfDevice
        } say: {
            try $0.say("x", after: "two", by: ["ada"], add: ["dora"], paper: "dora")
        },
        Ignored(testDescription: "a newcomer with the recovery key's keys") {
            .recoveryKeyOfDevice
        } say: {
            try $0.say("x", after: "two", by: ["ada"], add: ["paper"])
        },
        Ignored(testDescription: "nothing") {
            .empty
        } say: {
            try $0.say("x", after: "two", by: ["ada"])
        },
    ]

    @Test(.requirement("CIR-10"), arguments: ignored)
    func `a link that does not count has a reason`(row: Ignored) throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("one", after: "founding", by: ["ada"], add: ["bob", "cyd"])
        try script.say("two", after: "one", by: ["ada"], remove: ["cyd"])
        try row.say(&script)
        try script.say("y", after: "x", by: ["ada"], add: ["dan"])
        let chain = try script.chain()
        #expect(chain.faults[try script.link("x").digest] == (try row.fault()))
        #expect(chain.faults[try script.link("y").digest] == .predecessorIgnored)
        #expect(try script.path() == ["one", "two"])
    }

    /// Who signs a replacement of the recovery key.
    struct Replacement: Sendable, CustomTestStringConvertible {
        let signers: [String]
        /// Whether there is a recovery key before.
        var hasPaper = true
        let counts: Bool

        var testDescription: String {
            "\(signers.joined(separator: " and "))\(hasPaper ? "" : ", for the first")"
        }
    }

    static let replacements = [
        Replacement(signers: ["bob"], counts: false),
        Replacement(signers: ["bob"], hasPaper: false, counts: false),
        Replacement(signers: ["ada"], counts: true),
        Replacement(signers: ["ada"], hasPaper: false, counts: true),
        Replacement(signers: ["paper"], counts: true),
        Replacement(signers: ["paper", "bob"], counts: true),
    ]

    @Test(arguments: replacements)
    func `the recovery key is replaced by itself or by the first keeper`(
        row: Replacement
    ) throws {
        var script = ChainScript()
        _ = try script.found(paper: row.hasPaper ? "paper" : nil)
        try script.say("one", after: "founding", by: ["ada"], keepers: ["bob"])
        try script.say("two", after: "one", by: row.signers, paper: "other")
        let fault = try script.chain().faults[script.link("two").digest]
        #expect(fault == (row.counts ? nil : .recoveryByJunior))
        #expect(try script.path() == (row.counts ? ["one", "two"] : ["one"]))
    }

    @Test func `a later keeper is the first once those before it are gone`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("one", after: "founding", by: ["ada"], keepers: ["bob", "cyd"])
        try script.say("two", after: "one", by: ["paper"], remove: ["ada"])
        try script.say("three", after: "two", by: ["bob"], paper: "other")
        try script.say("four", after: "three", by: ["cyd"], paper: "another")
        #expect(try script.path() == ["one", "two", "three"])
    }

    /// The devices that are in the circle because of another one.
    private static func letIn(by actor: String, _ script: ChainScript) throws -> [String] {
        let chain = try script.chain()
        let members = try #require(chain.head).state.members
        return try chain.letIn(by: ChainScript.name(actor))
            .compactMap { members[$0]?.deviceName }.sorted()
    }

    @Test func `whom a device let in by one that is gone is known`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("1", after: "founding", by: ["ada"], add: ["fay"], keepers: ["bob"])
        try script.say("2", after: "1", by: ["bob"], keepers: ["cyd"])
        try script.say("3", after: "2", by: ["cyd"], keepers: ["dan"])
        try script.say("4", after: "3", by: ["bob"], remove: ["cyd"])
        try script.say("5", after: "4", by: ["dan"], add: ["eve"])
        #expect(try Self.letIn(by: "bob", script) == ["dan", "eve"])
        // Of one that is gone itself, too.
        #expect(try Self.letIn(by: "cyd", script) == ["dan", "eve"])
        #expect(try Self.letIn(by: "fay", script).isEmpty)
    }

    @Test func `whom a recovery key let in that a device set is known`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("1", after: "founding", by: ["paper"], keepers: ["fay"])
        #expect(try Self.letIn(by: "ada", script).isEmpty)
        try script.say("2", after: "1", by: ["ada"], paper: "other")
        try script.say("3", after: "2", by: ["other"], keepers: ["eve"])
        try script.say("4", after: "3", by: ["other"], paper: "third")
        try script.say("5", after: "4", by: ["third"], add: ["gil"])
        #expect(try Self.letIn(by: "ada", script) == ["eve", "gil"])
    }

    @Test func `a link waits for the one before it`() throws {
        var script = ChainScript()
        let founding = try script.found()
        try script.say("one", after: "founding", by: ["ada"], add: ["bob"])
        try script.say("two", after: "one", by: ["ada"], add: ["cyd"])
        var chain = CircleChain(founding.code)
        try chain.add([try script.link("two"), founding], trusted: true)
        #expect(chain.faults[try script.link("two").digest] == .predecessorUnknown)
        try chain.add([try script.link("one")], trusted: true)
        #expect(chain.head?.link == (try script.link("two")))
        #expect(chain.faults.isEmpty)
    }
}
