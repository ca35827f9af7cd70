import TestSupport
import Testing

@testable import KeychainSync

/// A circle of two peers, seen from the first.
struct MachineScript {
    static func item(_ letter: Character) -> ItemName {
        ItemName(unchecked: [UInt8](repeating: letter.asciiValue ?? 0, count: 32))
    }

    static func mark(
        _ item: Character,
        _ time: UInt64,
        _ digest: Character,
        isTombstone: Bool = false
    ) throws -> ChangeMark {
        let stamp = try #require(Stamp(milliseconds: time, counter: 0))
        let version = ItemVersion(stamp, MergeTests.digest(digest))
        return ChangeMark(item: self.item(item), version: version, isTombstone: isTombstone)
    }

    static func local(_ item: Character, _ digest: Character, at time: Int64) -> LocalItem {
        LocalItem(
            item: self.item(item),
            digest: MergeTests.digest(digest),
            isTombstone: false,
            modified: time
        )
    }

    static func segment(_ marks: [ChangeMark], isCheckpoint: Bool = false) -> Segment<ChangeMark> {
        var segment = Segment<ChangeMark>()
        segment.changes = marks
        segment.isCheckpoint = isCheckpoint
        return segment
    }

    /// Peer 0, which knows that peer 1 is a member too, and has the key of an epoch.
    static func machine() throws -> SyncMachine {
        let memory = SyncMemory(
            of: try CircleScript.name(0),
            founding: try CircleScript.found().digest
        )
        var machine = try SyncMachine(memory)
        let rotate = try CircleScript.rotate(2, for: [0, 1], by: 0, 2)
        guard case .rotate(let epoch, _) = rotate.action else { return machine }
        _ = try machine.handle(
            .received(
                epochs: [epoch],
                statements: [
                    try CircleScript.found(), try CircleScript.add(1, 1, by: 0, 1), rotate,
                ]
            )
        )
        return machine
    }

    /// Where the entry of the other peer with that number stands.
    static func place(_ number: UInt64) throws -> EntryPlace {
        EntryPlace(try CircleScript.name(1), number)
    }
}

@Suite("The machine of synchronization") struct SyncMachineTests {
    private typealias Script = MachineScript

    /// Lets the machine read a segment that the other peer wrote.
    private func read(
        _ machine: inout SyncMachine,
        _ number: UInt64,
        _ segment: Segment<ChangeMark>,
        listed: Range<UInt64>,
        foreign: Set<ItemName> = []
    ) throws -> [SyncAction] {
        let place = try Script.place(number)
        let listing = try machine.handle(.listed([place.peer: listed]))
        return try listing
            + machine.handle(.read(place, MergeTests.digest("e"), segment, foreign: foreign))
    }

    @Test func `publishes what a scan finds, and not what it knows`() throws {
        var machine = try Script.machine()
        _ = try machine.handle(.scanned([Script.local("a", "x", at: 5)]))
        #expect(machine.unpublished == [Script.item("a")])
        let place = EntryPlace(machine.memory.peer, 0)
        let segment = Script.segment([try Script.mark("a", 5, "x")])
        _ = try machine.handle(.wrote(place, MergeTests.digest("e"), segment))
        #expect(machine.unpublished.isEmpty)
        _ = try machine.handle(.scanned([Script.local("a", "x", at: 5)]))
        #expect(machine.unpublished.isEmpty)
    }

    @Test func `wants a tombstone for what left without one, and reads nothing before`() throws {
        var machine = try Script.machine()
        _ = try machine.handle(.scanned([Script.local("a", "x", at: 5)]))
        let actions = try machine.handle(.scanned([]))
        #expect(actions == [.bury(Script.item("a"))])
        _ = try machine.handle(.listed([try CircleScript.name(1): 0..<1]))
        #expect(machine.streamsToRead().isEmpty)
    }

    @Test func `does not bury what its keychain does not synchronize`() throws {
        var machine = try Script.machine()
        _ = try machine.handle(.scanned([]))
        let segment = Script.segment([try Script.mark("a", 5, "x")])
        _ = try read(&machine, 0, segment, listed: 0..<1, foreign: [Script.item("a")])
        #expect(machine.takeTransaction().applies.isEmpty)
        #expect(try machine.handle(.scanned([])).isEmpty)
    }

    @Test func `applies the last of several versions, once`() throws {
        var machine = try Script.machine()
        _ = try machine.handle(.scanned([Script.local("a", "x", at: 5)]))
        let first = Script.segment([try Script.mark("a", 6, "y")])
        _ = try read(&machine, 0, first, listed: 0..<2)
        let second = Script.segment([try Script.mark("a", 7, "z")])
        _ = try read(&machine, 1, second, listed: 0..<2)
        let expected = ItemApply(
            try Script.mark("a", 7, "z"),
            from: try Script.place(1),
            replacing: MergeTests.digest("x")
        )
        #expect(machine.takeTransaction().applies == [expected])
    }

    @Test func `puts back what no stamp can be later than`() throws {
        var machine = try Script.machine()
        let last = try #require(Stamp(milliseconds: Stamp.lastMilliseconds, counter: .max))
        let mark = ChangeMark(
            item: Script.item("a"),
            version: ItemVersion(last, MergeTests.digest("y")),
            isTombstone: false
        )
        _ = try machine.handle(.scanned([]))
        _ = try read(&machine, 0, Script.segment([mark]), listed: 0..<1)
        _ = machine.takeTransaction()
        _ = try machine.handle(.scanned([Script.local("a", "x", at: 5)]))
        let expected = ItemApply(
            mark,
            from: try Script.place(0),
            replacing: MergeTests.digest("x")
        )
        #expect(machine.takeTransaction().applies == [expected])
        #expect(machine.unpublished.isEmpty)
    }

    @Test func `begins at a checkpoint, and at nothing else, if earlier entries are gone`() throws {
        var machine = try Script.machine()
        _ = try machine.handle(.scanned([]))
        let marks = [try Script.mark("a", 5, "x")]
        let other = Script.segment(marks)
        let incomplete = try read(&machine, 7, other, listed: 7..<8)
        #expect(incomplete == [.tell(.incomplete(try Script.place(7)))])
        let checkpoint = Script.segment(marks, isCheckpoint: true)
        #expect(try read(&machine, 7, checkpoint, listed: 7..<8).isEmpty)
        #expect(machine.takeTransaction().applies.count == 1)
    }

    @Test func `ignores an entry that it has read, and one that is not next`() throws {
        var machine = try Script.machine()
        _ = try machine.handle(.scanned([]))
        let first = Script.segment([try Script.mark("a", 5, "x")])
        _ = try read(&machine, 0, first, listed: 0..<3)
        let memory = machine.memory
        _ = try read(&machine, 0, first, listed: 0..<3)
        _ = try read(&machine, 2, Script.segment([try Script.mark("b", 5, "x")]), listed: 0..<3)
        #expect(machine.memory == memory)
    }

    @Test func `tells what the relay withholds and forgets`() throws {
        var machine = try Script.machine()
        let (peer, third) = (try CircleScript.name(1), try CircleScript.name(2))
        let add = try CircleScript.add(3, 2, by: 0, 3)
        _ = try machine.handle(.received(epochs: [], statements: [add]))
        _ = try machine.handle(.scanned([]))
        var segment = Script.segment([])
        segment.heads[third] = StreamHead(entryCount: 4, digest: MergeTests.digest("d"))
        _ = try read(&machine, 0, segment, listed: 0..<1)
        let actions = try machine.handle(.listed([third: 0..<2]))
        let expected: Set<SyncAction> = [
            .tell(.rolledBack(peer, known: 1, listed: 0)),
            .tell(.withheld(third, claimed: 4, listed: 2)),
        ]
        #expect(Set(actions) == expected)
    }

    @Test func `tells a removed peer again when another removal does not count`() throws {
        var machine = try Script.machine()
        let peer = try CircleScript.name(1)
        let removal = try CircleScript.remove(5, 1, count: 3, by: 0, 3)
        _ = try machine.handle(.received(epochs: [], statements: [removal]))
        #expect(machine.owedKeys()[peer] == [])
        let place = EntryPlace(machine.memory.peer, 0)
        _ = try machine.handle(.wroteKeys(place, MergeTests.digest("e"), [peer: []]))
        #expect(machine.owedKeys()[peer] == nil)
        // The removed peer knew of this one before, and may take it for true.
        let other = try CircleScript.remove(6, 0, count: 0, by: 1, 3)
        _ = try machine.handle(.received(epochs: [], statements: [other]))
        #expect(machine.owedKeys()[peer] == [])
    }

    @Test func `tells when it was put back, and withdraws what nobody got`() throws {
        var machine = try Script.machine()
        let peer = machine.memory.peer
        _ = try machine.handle(.scanned([Script.local("a", "x", at: 5)]))
        let segment = Script.segment([try Script.mark("a", 5, "x")])
        let place = EntryPlace(peer, 0)
        _ = try machine.handle(.wrote(place, MergeTests.digest("e"), segment))
        let actions = try machine.handle(.listed([peer: 0..<3]))
        #expect(actions == [.tell(.restored(known: 1, listed: 3))])
        _ = try machine.handle(.withdrew(to: .none))
        #expect(machine.unpublished == [Script.item("a")])
    }
}
