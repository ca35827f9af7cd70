import Cryptography
import KeychainSync
import Secrets
import SyncRelay

/// The state of a pass after the machine has the list of streams, and the chain of all links.
struct LinkedPass<R: Relay> {
    /// The most bytes of entries that one call fetches.
    private static var fetchByteCount: Int { 8 << 20 }

    private var state: SyncState
    private let relay: R
    private let listing: [StreamName: Range<UInt64>]
    private var actions: [SyncAction]
    /// The items of all entries that were read; the machine chooses among them.
    private var contents: [EntryPlace: [ItemName: ItemContent]] = [:]
    private var faults: [EntryPlace: EntryFault] = [:]

    init(
        _ state: SyncState,
        _ relay: R,
        _ listing: [StreamName: Range<UInt64>],
        _ actions: [SyncAction]
    ) {
        self.state = state
        self.relay = relay
        self.listing = listing
        self.actions = actions
    }

    /// Reads the streams of all members as far as links and keys allow.
    consuming func read(
        _ device: SyncDevice,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> ReadPass<R> {
        state.beginReading()
        for stream in state.machine.streamsToRead() {
            guard state.isDue(stream) else {
                keepFault(of: stream)
                continue
            }
            try read(stream, device.keychain)
            noteWait(of: stream.stream)
        }
        report.faults = faults
        state.faults = faults
        return ReadPass(state, relay, contents, actions)
    }

    /// Keeps the fault of a waiting stream that this pass does not fetch.
    private mutating func keepFault(of stream: StreamRead) {
        guard let fault = state.faults[stream.place] else { return }
        faults[stream.place] = fault
        guard case .unknownLink(let link) = fault else { return }
        state.machine.note(unknownLink: link, of: stream.stream)
    }

    private mutating func noteWait(of stream: StreamName) {
        guard let next = state.machine.streamToRead(stream), faults[next.place] != nil else {
            return
        }
        state.noteWait(of: next)
    }

    /// Reads one stream to its end, or to the first entry that has to wait.
    private mutating func read(
        _ stream: StreamRead,
        _ keychain: any SyncedKeychain
    ) throws(SyncFailure) {
        var next: StreamRead? = stream
        while let stream = next {
            let entries = try fetch(stream)
            for (offset, bytes) in entries.enumerated() {
                let place = EntryPlace(stream.stream, stream.first + UInt64(offset))
                guard try readOne(bytes, at: place, keychain) else { return }
            }
            let following = state.machine.streamToRead(stream.stream)
            next = following?.first == stream.first ? nil : following
        }
    }

    /// Fetches the next entries of a stream.
    ///
    /// - Returns: The entries; none if the relay's data is damaged, which is noted as a fault.
    private mutating func fetch(_ stream: StreamRead) throws(SyncFailure) -> [[UInt8]] {
        // Anybody who can write to the relay can name a stream after a member. Fetch one entry of a
        // new stream first, to check its signature.
        let isKnown = state.machine.memory.streams[stream.stream]?.head.entryCount ?? 0 > 0
        do throws(RelayError) {
            return try relay.entries(
                of: stream.stream,
                from: stream.first,
                byteCountLimit: isKnown ? Self.fetchByteCount : 1
            )
        } catch {
            guard case .damaged(let reason) = error else { throw .relay(error) }
            faults[stream.place] = .damaged(reason)
            return []
        }
    }

    /// Reads one entry, and notes its fault if it has one.
    ///
    /// - Returns: Whether the stream goes on with the next entry.
    private mutating func readOne(
        _ bytes: [UInt8],
        at place: EntryPlace,
        _ keychain: any SyncedKeychain
    ) throws(SyncFailure) -> Bool {
        let head = state.machine.memory.streams[place.stream]?.head ?? .none
        guard let keys = state.machine.circle?.members[place.stream.device]?.keys else {
            return false
        }
        do throws(SyncError) {
            let shown = try UnverifiedEntry(
                bytes,
                of: state.membership.account,
                at: place,
                after: place.number == head.entryCount ? head.digest : nil
            )
            let entry = try SignedEntry(shown, signedBy: keys)
            if let fault = try take(entry, after: head, keychain) { faults[place] = fault }
        } catch {
            switch error {
            case .damaged(let reason): faults[place] = .damaged(reason)
            case .wrongSignature: faults[place] = .wrongSignature
            case .noKey, .tooLarge, .notAllowed, .backend: throw .format(error)
            }
        }
        return state.machine.memory.streams[place.stream]?.head.entryCount == place.number + 1
    }

    /// Passes a signed entry to the machine.
    ///
    /// - Returns: The reason why the entry does not count; nil if it does. The stream may go on
    ///   with the next entry even so.
    private mutating func take(
        _ entry: SignedEntry,
        after head: StreamHead,
        _ keychain: any SyncedKeychain
    ) throws(SyncError) -> EntryFault? {
        let place = entry.header.place
        guard entry.header.kind == .segment else {
            guard place.number == head.entryCount else { return .incomplete }
            let isLast = entry.header.kind == .leave
            let event = isLast ? SyncEvent.left(entry.mark) : .passedOver(entry.mark)
            actions += try state.machine.handle(event)
            return nil
        }
        switch state.machine.turn(of: entry.header.link) {
        case .wait(let fault):
            if case .unknownLink(let link) = fault {
                state.machine.note(unknownLink: link, of: place.stream)
            }
            return fault
        case .passOver(let fault):
            guard place.number == head.entryCount else { return .incomplete }
            actions += try state.machine.handle(.passedOver(entry.mark))
            return fault
        case .open(let name):
            guard let key = state.keys[name] else { return .keyMissing(name) }
            return try take(try entry.segment(under: key.secret), entry.mark, after: head, keychain)
        }
    }

    private mutating func take(
        _ segment: Segment<ItemChange>,
        _ mark: EntryMark,
        after head: StreamHead,
        _ keychain: any SyncedKeychain
    ) throws(SyncError) -> EntryFault? {
        guard mark.place.number == head.entryCount || segment.isCheckpoint else {
            return .incomplete
        }
        guard try isValid(segment.changes, keychain) else {
            return .damaged("a change is none of a keychain")
        }
        let marks = segment.marks
        guard !state.machine.isAhead(marks) else { return .aheadOfClock }
        let own = Set(keychain.exchangedClasses)
        let foreign = segment.changes.filter { !own.contains($0.content.classLetters) }
        actions += try state.machine.handle(
            .read(mark, marks, foreign: Set(foreign.map(\.mark.item)))
        )
        contents[mark.place] = Dictionary(
            segment.changes.map { ($0.mark.item, $0.content) },
            uniquingKeysWith: { first, _ in first }
        )
        return nil
    }

    private func isValid(
        _ changes: [ItemChange],
        _ keychain: any SyncedKeychain
    ) throws(SyncError) -> Bool {
        do throws(SyncFailure) { return try keychain.verify(changes) } catch {
            throw .backend("\(error)")
        }
    }
}

extension Segment<ItemChange> {
    /// The segment without the content of its items.
    var marks: Segment<ChangeMark> {
        var marks = Segment<ChangeMark>()
        marks.isCheckpoint = isCheckpoint
        marks.heads = heads
        marks.changes = changes.map(\.mark)
        return marks
    }
}
