/// The bytes of a session image that is kept across a restart, with its name.
///
/// `swkept`, two bytes for the version, then name and image, each behind its size in four bytes,
/// big-endian; zeros follow.
struct KeptSession: Equatable {
    private static let magic = [UInt8]("swkept".utf8) + [0, 1]
    static let nameByteCountLimit = 255
    static let imageByteCountLimit = 4096

    let name: String
    let image: [UInt8]

    init?(name: String, image: [UInt8]) {
        guard (1...Self.nameByteCountLimit).contains(name.utf8.count),
            (1...Self.imageByteCountLimit).contains(image.count)
        else { return nil }
        self.name = name
        self.image = image
    }

    var encoded: [UInt8] {
        Self.magic + Self.size(name.utf8.count) + Array(name.utf8) + Self.size(image.count) + image
    }

    /// Returns nil for anything else than an encoded session, and for wiped memory.
    init?(decoding bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic) else { return nil }
        var rest = bytes.dropFirst(Self.magic.count)
        guard let name = Self.field(&rest, atMost: Self.nameByteCountLimit),
            let image = Self.field(&rest, atMost: Self.imageByteCountLimit),
            let text = String(validating: name, as: UTF8.self)
        else { return nil }
        self.init(name: text, image: image)
    }

    private static func size(_ count: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    private static func field(_ rest: inout ArraySlice<UInt8>, atMost limit: Int) -> [UInt8]? {
        guard rest.count >= 4 else { return nil }
        let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(4)
        guard count <= limit, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
