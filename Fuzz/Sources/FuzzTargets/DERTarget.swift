@testable import Cryptography

extension FuzzTarget {
    /// Any run of DER elements: what is read is written as it was.
    ///
    /// On the way it is looked at as a file of any kind and as password-based encryption.
    static let der = FuzzTarget(name: "der") { bytes throws(BrokenLaw) in
        do throws(CryptographyError) {
            var rest = DERReader(bytes[...])
            try readFields(&rest)
        } catch {}
        _ = bytes.withUnsafeBytes(DERDocument.init(recognizing:))
        if let count = PasswordIterations.count(in: bytes) {
            try require(
                (0...PasswordIterations.limit).contains(count),
                "no password is hashed more"
            )
        }
        return try walk(bytes[...], depth: 0)
    }

    private static let depthLimit = 16

    /// Reads elements to the end, and those inside them.
    private static func walk(
        _ bytes: ArraySlice<UInt8>,
        depth: Int
    ) throws(BrokenLaw) -> Verdict {
        var reader = DERReader(bytes)
        while !reader.isAtEnd {
            let before = reader.rest
            let element: DERElement<ArraySlice<UInt8>>
            do throws(CryptographyError) {
                element = try reader.readElement()
            } catch {
                try require(reader.rest == before, "a failed read takes nothing")
                return .refused
            }
            try require(
                DER.element(element.tag, element.content) == [UInt8](element.encoding),
                "an element is written as it was read"
            )
            try require(
                element.encoding + reader.rest == before,
                "an element ends where the next begins"
            )
            guard element.tag & 0x20 != 0, depth < depthLimit else { continue }
            guard try walk(element.content, depth: depth + 1) == .accepted else { return .refused }
        }
        return .accepted
    }

    /// Asks for every kind of field in turn.
    private static func readFields(
        _ reader: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) {
        _ = try reader.readIfPresent(DERTag.boolean)
        if reader.nextTag == DERTag.sequence { reader = try reader.enter(DERTag.sequence) }
        while !reader.isAtEnd {
            switch reader.nextTag {
            case DERTag.integer: _ = try reader.readUnsignedInteger()
            case DERTag.bitString: _ = try reader.readWholeBitString()
            default: _ = try reader.readElement()
            }
        }
        try reader.finish()
    }
}
