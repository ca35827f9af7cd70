import KeychainSync
import SyncRelay

extension RelayRequest {
    private enum Kind: UInt8 {
        case open = 1
        case prepare, streams, entries, append, trim, wait, stop
        case remove, links, stored, store
    }

    /// Returns the kind and the fields as bytes.
    func bytes() throws(SyncError) -> [UInt8] {
        var writer = FieldWriter()
        switch self {
        case .open(let place):
            writer.append(Kind.open.rawValue)
            writer.append(RelayMessageLimit.version)
            writer.append(place.server.rawValue)
            writer.append(place.account)
            guard place.texts.count <= RelayMessageLimit.textCount else { throw .tooLarge }
            writer.append(UInt8(place.texts.count))
            for text in place.texts { try writer.append(relayText: text) }
        case .prepare: writer.append(Kind.prepare.rawValue)
        case .streams: writer.append(Kind.streams.rawValue)
        case .entries(let stream, let first, let limit):
            writer.append(Kind.entries.rawValue)
            writer.append(stream)
            writer.append(first)
            writer.append(limit)
        case .append(let entries, let stream, let first):
            writer.append(Kind.append.rawValue)
            writer.append(stream)
            writer.append(first)
            try writer.append(entries: entries)
        case .trim(let stream, let number):
            writer.append(Kind.trim.rawValue)
            writer.append(stream)
            writer.append(number)
        case .remove(let stream):
            writer.append(Kind.remove.rawValue)
            writer.append(stream)
        case .links: writer.append(Kind.links.rawValue)
        case .stored(let part, let places):
            writer.append(Kind.stored.rawValue)
            writer.append(part.rawValue)
            try writer.append(places: places, limit: RelayLimit.placeCount)
        case .store(let part, let bytes, let place):
            writer.append(Kind.store.rawValue)
            writer.append(part.rawValue)
            writer.append(place)
            guard bytes.count <= part.byteCountLimit else { throw .tooLarge }
            try writer.append(bytes, countedBy: UInt32.self)
        case .wait(let milliseconds):
            writer.append(Kind.wait.rawValue)
            writer.append(milliseconds)
        case .stop: writer.append(Kind.stop.rawValue)
        }
        return writer.bytes()
    }

    /// Parses the result of `bytes`, and nothing else.
    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = FieldReader(bytes[...], of: "a request to keychain-relay")
        guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else {
            throw reader.damaged("it has an unknown kind")
        }
        switch kind {
        case .open: self = .open(try Self.place(&reader))
        case .prepare: self = .prepare
        case .streams: self = .streams
        case .entries:
            self = .entries(
                of: try reader.name(StreamName.self),
                from: try reader.integer(UInt64.self),
                byteCountLimit: try reader.integer(UInt32.self)
            )
        case .append:
            let stream = try reader.name(StreamName.self)
            let first = try reader.integer(UInt64.self)
            self = .append(try reader.entries(), to: stream, at: first)
        case .trim:
            self = .trim(
                try reader.name(StreamName.self),
                below: try reader.integer(UInt64.self)
            )
        case .remove: self = .remove(try reader.name(StreamName.self))
        case .links: self = .links
        case .stored:
            let part = try reader.linkPart()
            self = .stored(part, try reader.places(limit: RelayLimit.placeCount))
        case .store: self = try Self.store(&reader)
        case .wait: self = .wait(milliseconds: try reader.integer(UInt32.self))
        case .stop: self = .stop
        }
        try reader.finish()
    }

    private static func store(
        _ reader: inout FieldReader<ArraySlice<UInt8>>
    ) throws(SyncError) -> RelayRequest {
        let (part, place) = (try reader.linkPart(), try reader.place())
        let bytes = try reader.counted(UInt32.self)
        guard bytes.count <= part.byteCountLimit else { throw reader.damaged("it is too large") }
        return .store(part, Array(bytes), place)
    }

    private static func place(
        _ reader: inout FieldReader<ArraySlice<UInt8>>
    ) throws(SyncError) -> RelayPlace {
        try reader.expect([RelayMessageLimit.version], "it has another version")
        guard let server = RelayPlace.Server(rawValue: try reader.integer(UInt8.self)) else {
            throw reader.damaged("it names an unknown relay")
        }
        let account = try reader.name(AccountName.self)
        let count = Int(try reader.integer(UInt8.self))
        guard count <= RelayMessageLimit.textCount else {
            throw reader.damaged("it has too many texts")
        }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try reader.relayText()) }
        return RelayPlace(server, account, texts)
    }
}
