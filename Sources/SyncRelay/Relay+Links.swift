import KeychainSync

// For each place, a reader gets either the bytes that belong there or none. So garbage on a relay
// costs a reader only the time to read it.

extension Relay {
    /// Returns the links at some places, in the order of the places.
    ///
    /// Places without a link are omitted. The result ends when `byteCountLimit` is reached; the
    /// first link may exceed it. To continue, call again with the places after the last one
    /// returned. An empty result means that none of the places has a link.
    package func links(
        at places: [LinkPlace],
        byteCountLimit: Int = .max
    ) throws(RelayError) -> [(place: LinkPlace, bytes: [UInt8])] {
        var links: [(place: LinkPlace, bytes: [UInt8])] = []
        var byteCount = 0
        var rest = places[...]
        while !rest.isEmpty {
            let asked = Array(rest.prefix(RelayLimit.placeCount))
            for (place, bytes) in zip(asked, try sound(.link, asked)) {
                guard let bytes else { continue }
                links.append((place, bytes))
                byteCount += bytes.count
                if byteCount >= byteCountLimit { return links }
            }
            rest = rest.dropFirst(asked.count)
        }
        return links
    }

    /// Returns the bytes of a link; nil if the relay does not have it.
    package func link(at place: LinkPlace) throws(RelayError) -> [UInt8]? {
        try sound(.link, [place])[0]
    }

    /// Returns the boxes of a link; nil if the relay dropped them, or never had any.
    ///
    /// Their place consists of the link's number and the boxes' digest.
    package func boxes(at place: LinkPlace) throws(RelayError) -> [UInt8]? {
        try sound(.boxes, [place])[0]
    }

    /// Stores a link and its boxes, unless the relay already has them.
    ///
    /// Stores the boxes first, so that a device that sees the link finds them.
    ///
    /// - Throws: `tooLarge`; `damaged` if the link does not belong in this place.
    package func put(
        _ link: [UInt8],
        boxes: [UInt8]?,
        at place: LinkPlace
    ) throws(RelayError) {
        guard place.number < RelayLimit.number, try place == .of(link, place.number) else {
            throw .damaged("link \(place.number) does not have the digest of its place")
        }
        for (part, bytes) in [(LinkPart.boxes, boxes), (.link, link)] {
            guard let bytes else { continue }
            guard bytes.count <= part.byteCountLimit else {
                throw .tooLarge(limit: part.byteCountLimit)
            }
            try store(part, bytes, at: .of(bytes, place.number))
        }
    }

    /// Returns the bytes that belong in these places; nil where the relay does not have them.
    private func sound(
        _ part: LinkPart,
        _ places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]?] {
        let stored = try stored(part, at: places)
        guard stored.count == places.count else {
            throw .damaged("it has \(stored.count) answers to \(places.count) questions")
        }
        var found: [[UInt8]?] = []
        for (place, bytes) in zip(places, stored) {
            let isRead = !bytes.isEmpty && bytes.count <= part.byteCountLimit
            let belongs = isRead ? try place.holds(bytes) : false
            found.append(belongs ? bytes : nil)
        }
        return found
    }
}

extension LinkPlace {
    /// Returns the place for the bytes.
    fileprivate static func of(
        _ bytes: [UInt8],
        _ number: UInt64
    ) throws(RelayError) -> LinkPlace {
        LinkPlace(number: number, digest: try .kept(bytes))
    }

    /// Returns whether the bytes belong in this place.
    package func holds(_ bytes: [UInt8]) throws(RelayError) -> Bool {
        try digest == .kept(bytes)
    }
}

extension SyncDigest {
    /// Returns the digest of bytes for a relay.
    static func kept(_ bytes: [UInt8]) throws(RelayError) -> SyncDigest {
        do { return try SyncDigest(of: bytes) } catch {
            throw .unreachable("libcrypto made no digest")
        }
    }
}
