import KeychainSync
import SyncRelay

extension RelayReply {
    private enum Kind: UInt8 {
        case done = 1
        case streams, entries, changed
        case unreachable, refused, occupied, gap, tooLarge, damaged
        case links
    }

    /// Returns the kind and the fields as bytes.
    func bytes() throws(SyncError) -> [UInt8] {
        var writer = FieldWriter()
        switch self {
        case .done: writer.append(Kind.done.rawValue)
        case .streams(let ranges):
            writer.append(Kind.streams.rawValue)
            guard ranges.count <= RelayLimit.streamCount else { throw .tooLarge }
            writer.append(UInt32(ranges.count))
            for (stream, range) in ranges.sorted(by: { $0.key < $1.key }) {
                writer.append(stream)
                writer.append(range.lowerBound)
                writer.append(range.upperBound)
            }
        case .entries(let entries):
            writer.append(Kind.entries.rawValue)
            try writer.append(entries: entries)
        case .links(let places):
            writer.append(Kind.links.rawValue)
            try writer.append(places: places, limit: RelayLimit.linkCount)
        case .changed(let hasChanged):
            writer.append(Kind.changed.rawValue)
            writer.append(hasChanged)
        case .failure(let error): try Self.write(error, &writer)
        }
        return writer.bytes()
    }

    private static func write(
        _ error: RelayError,
        _ writer: inout FieldWriter
    ) throws(SyncError) {
        switch error {
        case .unreachable(let reason): try write(.unreachable, reason, &writer)
        case .refused(let reason): try write(.refused, reason, &writer)
        case .damaged(let reason): try write(.damaged, reason, &writer)
        case .occupied(let stream, let number): write(.occupied, stream, number, &writer)
        case .gap(let stream, let number): write(.gap, stream, number, &writer)
        case .tooLarge(let limit):
            writer.append(Kind.tooLarge.rawValue)
            writer.append(UInt32(clamping: limit))
        }
    }

    private static func write(
        _ kind: Kind,
        _ reason: String,
        _ writer: inout FieldWriter
    ) throws(SyncError) {
        writer.append(kind.rawValue)
        try writer.append(relayText: reason.fittingRelayText)
    }

    private static func write(
        _ kind: Kind,
        _ stream: StreamName,
        _ number: UInt64,
        _ writer: inout FieldWriter
    ) {
        writer.append(kind.rawValue)
        writer.append(stream)
        writer.append(number)
    }

    /// Parses the result of `bytes`, and nothing else.
    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = FieldReader(bytes[...], of: "an answer of keychain-relay")
        guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else {
            throw reader.damaged("it has an unknown kind")
        }
        switch kind {
        case .done: self = .done
        case .streams: self = .streams(try Self.ranges(&reader))
        case .entries: self = .entries(try reader.entries())
        case .links: self = .links(try Self.links(&reader))
        case .changed: self = .changed(try reader.flag())
        case .unreachable: self = .failure(.unreachable(try reader.relayText()))
        case .refused: self = .failure(.refused(try reader.relayText()))
        case .damaged: self = .failure(.damaged(try reader.relayText()))
        case .occupied:
            let stream = try reader.name(StreamName.self)
            self = .failure(.occupied(stream, try reader.integer(UInt64.self)))
        case .gap:
            let stream = try reader.name(StreamName.self)
            self = .failure(.gap(stream, try reader.integer(UInt64.self)))
        case .tooLarge:
            self = .failure(.tooLarge(limit: Int(try reader.integer(UInt32.self))))
        }
        try reader.finish()
    }

    private static func ranges(
        _ reader: inout FieldReader<ArraySlice<UInt8>>
    ) throws(SyncError) -> [StreamName: Range<UInt64>] {
        let count = try reader.integer(UInt32.self)
        guard count <= RelayLimit.streamCount else {
            throw reader.damaged("it has too many streams")
        }
        var ranges: [StreamName: Range<UInt64>] = [:]
        var last: StreamName?
        for _ in 0..<count {
            let stream = try reader.name(StreamName.self)
            let first = try reader.integer(UInt64.self)
            let next = try reader.integer(UInt64.self)
            guard first < next, next <= RelayLimit.number else {
                throw reader.damaged("a stream has no entries, or too many")
            }
            if let last, stream <= last { throw reader.damaged("its streams are not in order") }
            ranges[stream] = first..<next
            last = stream
        }
        return ranges
    }

    private static func links(
        _ reader: inout FieldReader<ArraySlice<UInt8>>
    ) throws(SyncError) -> [LinkPlace] {
        let places = try reader.places(limit: RelayLimit.linkCount)
        guard zip(places, places.dropFirst()).allSatisfy(<) else {
            throw reader.damaged("its links are not in order")
        }
        return places
    }
}
