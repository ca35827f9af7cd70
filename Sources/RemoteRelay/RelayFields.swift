import KeychainSync
import SyncRelay

extension FieldWriter {
    /// Appends a count of 2 bytes, then the text as UTF-8.
    mutating func append(relayText text: String) throws(SyncError) {
        guard text.isRelayText else { throw .damaged("a text has control characters") }
        guard text.utf8.count <= RelayMessageLimit.textByteCount else { throw .tooLarge }
        try append(text.utf8, countedBy: UInt16.self)
    }

    /// Appends a count of 4 bytes, then each entry after its own count.
    mutating func append(entries: [[UInt8]]) throws(SyncError) {
        guard entries.count <= RelayMessageLimit.entryCount else { throw .tooLarge }
        append(UInt32(entries.count))
        for entry in entries { try append(entry, countedBy: UInt32.self) }
    }

    mutating func append(_ place: LinkPlace) {
        append(place.number)
        append(place.digest)
    }

    /// Appends a count of 4 bytes, then the places.
    mutating func append(places: [LinkPlace], limit: Int) throws(SyncError) {
        guard places.count <= limit else { throw .tooLarge }
        append(UInt32(places.count))
        for place in places { append(place) }
    }
}

extension FieldReader {
    /// Reads a text without control characters.
    mutating func relayText() throws(SyncError) -> String {
        let bytes = try counted(UInt16.self)
        guard bytes.count <= RelayMessageLimit.textByteCount,
            let text = String(validating: bytes, as: UTF8.self), text.isRelayText
        else { throw damaged("a text is too long or no text") }
        return text
    }

    mutating func entries() throws(SyncError) -> [[UInt8]] {
        let count = try integer(UInt32.self)
        guard count <= RelayMessageLimit.entryCount else {
            throw damaged("it has too many entries")
        }
        var entries: [[UInt8]] = []
        for _ in 0..<count {
            let entry = try counted(UInt32.self)
            guard entry.count <= RelayLimit.entryByteCount else {
                throw damaged("an entry is too large")
            }
            entries.append(Array(entry))
        }
        return entries
    }

    mutating func linkPart() throws(SyncError) -> LinkPart {
        guard let part = LinkPart(rawValue: try integer(UInt8.self)) else {
            throw damaged("it names an unknown part")
        }
        return part
    }

    mutating func place() throws(SyncError) -> LinkPlace {
        let number = try integer(UInt64.self)
        guard number < RelayLimit.number else { throw damaged("a number is too large") }
        return LinkPlace(number: number, digest: try name(SyncDigest.self))
    }

    mutating func places(limit: Int) throws(SyncError) -> [LinkPlace] {
        let count = try integer(UInt32.self)
        guard count <= limit else { throw damaged("it has too many places") }
        var places: [LinkPlace] = []
        for _ in 0..<count { places.append(try place()) }
        return places
    }
}

extension String {
    fileprivate var isRelayText: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The text, shortened to fit a message, with spaces in place of control characters.
    var fittingRelayText: String {
        var text = ""
        var byteCount = 0
        for scalar in unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            let shown = isControl ? " " : scalar
            byteCount += UTF8.width(shown)
            guard byteCount <= RelayMessageLimit.textByteCount else { break }
            text.unicodeScalars.append(shown)
        }
        return text
    }
}
