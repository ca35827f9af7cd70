import KeychainSync

// Whatever a relay has in a place, a reader gets the bytes that belong there, or none. So garbage
// costs its reader the time to read it, and stops nobody.

extension Relay {
    /// The bytes of links, each with its place, in the order of the places.
    ///
    /// A place that has no link is left out. No more follow once there are `byteCountLimit` bytes;
    /// one link is returned even if it has more. So a caller asks again for the places behind the
    /// last one that was returned. If the answer is empty, none of the places has a link.
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

    /// The bytes of a link; nil if the relay does not have it.
    package func link(at place: LinkPlace) throws(RelayError) -> [UInt8]? {
        try sound(.link, [place])[0]
    }

    /// The boxes of a link; nil if the relay has none: they were dropped, or it never got any.
    ///
    /// Their place is the number of the link, and the digest of the boxes.
    package func boxes(at place: LinkPlace) throws(RelayError) -> [UInt8]? {
        try sound(.boxes, [place])[0]
    }

    /// Keeps a link and its boxes; nothing happens to what the relay has already.
    ///
    /// The boxes are kept before the link: who sees the link finds them.
    ///
    /// - Throws: `tooLarge`; `damaged` if the link does not belong into this place.
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

    /// What belongs into these places, as far as the relay has it.
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
    /// The place of these bytes.
    fileprivate static func of(
        _ bytes: [UInt8],
        _ number: UInt64
    ) throws(RelayError) -> LinkPlace {
        LinkPlace(number: number, digest: try .kept(bytes))
    }

    /// Whether these bytes belong here.
    package func holds(_ bytes: [UInt8]) throws(RelayError) -> Bool {
        try digest == .kept(bytes)
    }
}

extension SyncDigest {
    /// The digest of what a relay keeps.
    static func kept(_ bytes: [UInt8]) throws(RelayError) -> SyncDigest {
        do { return try SyncDigest(of: bytes) } catch {
            throw .unreachable("libcrypto made no digest")
        }
    }
}
