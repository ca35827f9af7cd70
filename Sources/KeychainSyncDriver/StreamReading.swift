import Cryptography
import KeychainSync
import Secrets
import SyncRelay

/// Reads the streams of a circle, as far as they can be read now.
struct StreamReading<R: Relay> {
    /// How much is fetched at once.
    private static var fetchByteCount: Int { 8 << 20 }

    private(set) var state: SyncState
    /// The content of what was read, for what the machine takes of it.
    private(set) var contents: [EntryPlace: [ItemName: ItemContent]] = [:]
    /// Streams that end in an entry that is wrong.
    private(set) var damaged: [PeerName: String] = [:]
    /// Streams whose next segment cannot be opened yet.
    private(set) var waiting: Set<PeerName> = []

    private let signer: ElementSigner
    private let keychain: SyncedKeychain
    private let relay: R
    private var machine: SyncMachine
    private var actions: [SyncAction] = []

    init(
        _ state: SyncState,
        _ machine: SyncMachine,
        _ signer: ElementSigner,
        _ keychain: SyncedKeychain,
        _ relay: R
    ) {
        self.state = state
        self.machine = machine
        self.signer = signer
        self.keychain = keychain
        self.relay = relay
    }

    /// Reads until nothing new can be read: a key in one stream may open another.
    ///
    /// - Returns: What the machine wants done.
    mutating func readAll(
        _ listing: [PeerName: Range<UInt64>]
    ) throws(SyncFailure) -> [SyncAction] {
        var progress = true
        while progress {
            progress = false
            waiting = []
            for stream in machine.streamsToRead() where damaged[stream.peer] == nil {
                if try read(stream) { progress = true }
            }
            if try readNewcomers(listing) { progress = true }
            if !progress { progress = try lookAhead(listing) }
        }
        state.machine = machine
        defer { actions = [] }
        return actions
    }

    /// Looks for keys behind the segments that wait for one.
    ///
    /// - Returns: Whether there are new ones.
    private mutating func lookAhead(
        _ listing: [PeerName: Range<UInt64>]
    ) throws(SyncFailure) -> Bool {
        let before = state.epochKeys.count
        for peer in waiting.sorted() {
            guard let range = listing[peer], let keys = machine.circle?.peers[peer]?.keys else {
                continue
            }
            var next = machine.memory.streams[peer]?.head.entryCount ?? range.lowerBound
            while next < range.upperBound {
                let entries = try fromRelay(
                    try relay.sound(of: peer, from: next, byteCountLimit: Self.fetchByteCount)
                )
                guard !entries.isEmpty else { break }
                for (offset, bytes) in entries.enumerated() {
                    // What is wrong is told when its turn comes.
                    try? openAhead(bytes, EntryPlace(peer, next + UInt64(offset)), keys)
                }
                next += UInt64(entries.count)
            }
        }
        return state.epochKeys.count > before
    }

    private mutating func openAhead(
        _ bytes: [UInt8],
        _ place: EntryPlace,
        _ keys: PeerKeys
    ) throws(SyncError) {
        let account = state.membership.account
        let shown = try UnverifiedEntry(bytes, of: account, at: place, after: nil)
        guard shown.header.kind == .keys else { return }
        let entry = try SignedEntry(shown, signedBy: keys)
        guard let gift = try entry.gift(for: signer, &state.statements) else { return }
        try accept(gift)
    }

    /// Reads one stream as far as it goes.
    ///
    /// - Returns: Whether anything was read.
    private mutating func read(_ stream: StreamRead) throws(SyncFailure) -> Bool {
        var hasRead = false
        var next: StreamRead? = stream
        while let stream = next {
            let entries = try fetch(stream)
            guard !entries.isEmpty else { return hasRead }
            for (offset, bytes) in entries.enumerated() {
                let place = EntryPlace(stream.peer, stream.first + UInt64(offset))
                guard try readOne(bytes, at: place) else { return hasRead }
                hasRead = true
            }
            let following = machine.streamToRead(stream.peer)
            next = following?.first == stream.first ? nil : following
        }
        return hasRead
    }

    /// The next entries of a stream; none, and it is noted, where the relay has others than a peer
    /// writes.
    private mutating func fetch(_ stream: StreamRead) throws(SyncFailure) -> [[UInt8]] {
        do throws(RelayError) {
            return try relay.entries(
                of: stream.peer,
                from: stream.first,
                byteCountLimit: Self.fetchByteCount
            )
        } catch {
            guard case .damaged(let reason) = error else { throw .relay(error) }
            damaged[stream.peer] = reason
            return []
        }
    }

    /// Takes one entry in.
    ///
    /// - Returns: Whether the stream goes on behind it.
    private mutating func readOne(
        _ bytes: [UInt8],
        at place: EntryPlace
    ) throws(SyncFailure) -> Bool {
        let head = machine.memory.streams[place.peer]?.head ?? .none
        guard let keys = machine.circle?.peers[place.peer]?.keys else { return false }
        do throws(SyncError) {
            let shown = try UnverifiedEntry(
                bytes,
                of: state.membership.account,
                at: place,
                after: place.number == head.entryCount ? head.digest : nil
            )
            return try take(try SignedEntry(shown, signedBy: keys), at: place)
        } catch {
            switch error {
            case .noKey: waiting.insert(place.peer)
            case .damaged(let reason): damaged[place.peer] = reason
            case .wrongSignature:
                damaged[place.peer] = "entry \(place.number): the signature is wrong"
            case .tooLarge, .notAllowed, .backend: throw .format(error)
            }
            return false
        }
    }

    private mutating func take(
        _ entry: SignedEntry,
        at place: EntryPlace
    ) throws(SyncError) -> Bool {
        switch entry.header.kind {
        case .request: try step(.readOther(place, entry.digest))
        case .keys:
            let gift = try entry.gift(for: signer, &state.statements)
            if let gift { try accept(gift) }
            try step(.readOther(place, entry.digest))
        case .segment:
            guard let key = state.epochKeys[entry.header.epoch] else { throw .noKey }
            let segment = try entry.segment(under: key.secret, &state.statements)
            guard try isValid(segment.changes) else {
                throw .damaged("entry \(place.number): a change is none of a keychain")
            }
            try step(.read(place, entry.digest, segment.marks, foreign: foreign(in: segment)))
            contents[place] = Dictionary(
                segment.changes.map { ($0.mark.item, $0.content) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        return machine.memory.streams[place.peer]?.head.entryCount == place.number + 1
    }

    private mutating func accept(_ gift: KeyGift) throws(SyncError) {
        for (epoch, key) in gift.epochs where state.epochKeys[epoch] == nil {
            state.epochKeys[epoch] = key
        }
        try step(.received(epochs: gift.epochs.keys.sorted(), statements: gift.statements))
    }

    private mutating func step(_ event: SyncEvent) throws(SyncError) {
        do throws(CryptographyError) { actions += try machine.handle(event) } catch {
            throw .backend("\(error)")
        }
    }

    private func isValid(_ changes: [ItemChange]) throws(SyncError) -> Bool {
        do throws(SyncFailure) { return try keychain.verify(changes) } catch {
            throw .backend("\(error)")
        }
    }

    /// The items that this keychain does not exchange, by their class.
    private func foreign(in segment: Segment<ItemChange>) -> Set<ItemName> {
        let own = Set(keychain.exchangedClasses)
        return Set(
            segment.changes.filter { !own.contains($0.content.classLetters) }.map(\.mark.item)
        )
    }

    /// Who joined with the recovery key says so in a stream of its own, which nobody else
    /// announces: looks for such statements.
    private mutating func readNewcomers(
        _ listing: [PeerName: Range<UInt64>]
    ) throws(SyncFailure) -> Bool {
        var hasJoined = false
        for (peer, range) in listing.sorted(by: { $0.key < $1.key }) {
            guard machine.circle?.peers[peer] == nil, peer != machine.memory.peer,
                range.lowerBound == 0, range.upperBound > 1
            else { continue }
            // Of whoever does not know the circle no more is read than what should be a request.
            let first = try fromRelay(try relay.sound(of: peer, from: 0, byteCountLimit: 1)).first
            guard let first, let keys = requester(first, peer) else { continue }
            let entries = try fromRelay(
                try relay.sound(of: peer, from: 1, byteCountLimit: Self.fetchByteCount)
            )
            // Whatever a stranger wrote is no reason to stop.
            try? readNewcomer(peer, keys, entries)
            if machine.circle?.peers[peer] != nil { hasJoined = true }
        }
        return hasJoined
    }

    /// The keys of who asks to join in the first entry of a stream; nil if nobody does.
    private func requester(_ bytes: [UInt8], _ peer: PeerName) -> PeerKeys? {
        let account = state.membership.account
        let place = EntryPlace(peer, 0)
        guard
            let shown = try? UnverifiedEntry(bytes, of: account, at: place, after: .zeros),
            let request = try? JoinRequest(shown, state.membership.code)
        else { return nil }
        return request.keys
    }

    /// Takes the statements in the entries behind a request.
    private mutating func readNewcomer(
        _ peer: PeerName,
        _ keys: PeerKeys,
        _ entries: [[UInt8]]
    ) throws(SyncError) {
        let account = state.membership.account
        for (offset, bytes) in entries.enumerated() {
            let place = EntryPlace(peer, 1 + UInt64(offset))
            let shown = try UnverifiedEntry(bytes, of: account, at: place, after: nil)
            let entry = try SignedEntry(shown, signedBy: keys)
            guard entry.header.kind == .segment, let key = state.epochKeys[entry.header.epoch]
            else { continue }
            let segment = try entry.segment(under: key.secret, &state.statements)
            try step(.received(epochs: [], statements: segment.statements))
        }
    }
}

extension Segment<ItemChange> {
    /// The same without content.
    var marks: Segment<ChangeMark> {
        var marks = Segment<ChangeMark>()
        marks.isCheckpoint = isCheckpoint
        marks.heads = heads
        marks.statements = statements
        marks.changes = changes.map(\.mark)
        return marks
    }
}
