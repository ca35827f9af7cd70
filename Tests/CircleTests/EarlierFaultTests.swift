import TestSupport
import Testing

@testable import KeychainSync

/// Attacks that took over, split or stopped a circle of version 1, where every signature that was
/// ever made stayed an input for ever.
@Suite struct `What broke circles of version 1` {
    /// `ada` let in the keepers `xen` and `yan`, and the member `bob`, and removed both keepers.
    private static func scene() throws -> ChainScript {
        var script = ChainScript()
        _ = try script.found()
        try script.say("in", after: "founding", by: ["ada"], add: ["bob"], keepers: ["xen", "yan"])
        try script.say("out", after: "in", by: ["ada"], remove: ["xen", "yan"])
        return script
    }

    /// What removed keys say, each after the one before it, the first after a link of the chain.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let say: @Sendable (inout ChainScript) throws -> Void
    }

    static let attacks: [Attack] = [
        Attack(testDescription: "1: replace the recovery key, remove the founder, put it back") {
            try $0.say("a", after: "in", by: ["xen"], paper: "fake", sorting: 0)
            try $0.say("b", after: "a", by: ["fake"], remove: ["ada"], sorting: 0)
            try $0.say("c", after: "b", by: ["fake"], paper: "paper", sorting: 0)
        },
        Attack(testDescription: "2: replace the recovery key, remove everybody else") {
            try $0.say("a", after: "in", by: ["xen"], paper: "fake", sorting: 0)
            try $0.say("b", after: "a", by: ["fake"], remove: ["ada", "bob", "yan"], sorting: 0)
        },
        Attack(testDescription: "3: one removes the other, the other the founder") {
            try $0.say("a", after: "in", by: ["yan"], remove: ["xen"], sorting: 0)
            try $0.say("b", after: "in", by: ["xen"], remove: ["ada"], sorting: 0)
            try $0.say("c", after: "a", by: ["yan"], keepers: ["eve"], sorting: 0)
        },
        Attack(testDescription: "both sign one link") {
            try $0.say("a", after: "in", by: ["xen", "yan"], remove: ["ada"], sorting: 0)
        },
    ]

    @Test(.requirement("CIR-03"), arguments: attacks)
    func `changes nothing`(attack: Attack) throws {
        var script = try Self.scene()
        try attack.say(&script)
        #expect(try script.path() == ["in", "out"])
        #expect(try script.members() == ["ada", "bob"])
    }

    @Test(.requirement("CIR-03"), .requirement("CIR-04"))
    func `4: an old recovery key does not remove whoever replaced it`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("in", after: "founding", by: ["ada"], add: ["bob"])
        try script.say("new", after: "in", by: ["ada", "paper"], paper: "new paper")
        for previous in ["founding", "in"] {
            try script.say(
                "lie after \(previous)",
                after: previous,
                by: ["paper"],
                keepers: ["eve"],
                remove: ["ada"],
                sorting: 0
            )
        }
        #expect(try script.path() == ["in", "new"])
    }

    @Test(.requirement("CIR-03"), .requirement("CIR-01"))
    func `5, 7, 11: more hostile links than any limit split nobody`() throws {
        var script = try Self.scene()
        var names: [String] = []
        for number in 0..<1_100 {
            let name = "lie \(number)"
            let signer = number % 2 == 0 ? "xen" : "yan"
            try script.say(name, after: "in", by: [signer], add: ["eve \(number)"], sorting: 0)
            names.append(name)
        }
        // Readers that have read different ones agree.
        for part in [Array(names.prefix(40)), Array(names.suffix(40)), names, []] {
            #expect(try script.path(of: ["in", "out"] + part) == ["in", "out"])
        }
        // The recovery key can be replaced all the same.
        try script.say("new", after: "out", by: ["ada"], paper: "new paper")
        #expect(try script.path() == ["in", "out", "new"])
    }

    @Test func `10: links that add devices falsely make nobody make a new key`() throws {
        var script = try Self.scene()
        for number in 0..<20 {
            try script.say("lie \(number)", after: "in", by: ["xen"], add: ["eve \(number)"])
        }
        let stream = StreamName(of: try ChainScript.name("ada"), [1, 2, 3, 4, 5, 6, 7, 8])
        let machine = SyncMachine(SyncMemory(of: stream), try script.chain())
        #expect(machine.owedChanges() == nil)
    }

    @Test func `13: a removal names whom the device let in`() throws {
        var script = ChainScript()
        _ = try script.found()
        try script.say("1", after: "founding", by: ["ada"], keepers: ["xen"])
        try script.say("2", after: "1", by: ["xen"], keepers: ["eve"])
        try script.say("3", after: "2", by: ["eve"], add: ["fay"])
        try script.say("4", after: "3", by: ["ada"], add: ["bob"])
        let names = try script.chain().letIn(by: ChainScript.name("xen"))
        #expect(Set(names) == [try ChainScript.name("eve"), try ChainScript.name("fay")])
        try script.say("5", after: "4", by: ["ada"], remove: ["xen", "eve", "fay"])
        #expect(try script.members() == ["ada", "bob"])
    }
}
