import AutoFill
import KeychainMessages
import KeychainModel

/// The internet passwords of a listing, as AutoFill looks at them.
struct InternetPasswords {
    private(set) var candidates: [AutoFillCandidate] = []
    /// Why an item of which the server is unknown is out of reach; nil if there is none.
    private(set) var closed: KeychainError?

    init(_ listing: Listing) {
        for item in listing.items {
            guard let reference = item.persistentReference else { continue }
            append(item.attributes, reference)
        }
        for item in listing.outOfReach {
            if item.attributes[.server] == nil {
                closed = closed ?? item.error
            } else {
                append(item.attributes, item.persistentReference)
            }
        }
    }

    private mutating func append(_ attributes: AttributeValues, _ reference: [UInt8]) {
        var candidate = AutoFillCandidate(
            server: Self.text(attributes[.server]) ?? "",
            protocolName: Self.text(attributes[.protocolName]),
            account: Self.text(attributes[.account]) ?? ""
        )
        if case .number(let number)? = attributes[.port] {
            // An item with a port that cannot be is for no page.
            guard let port = UInt16(exactly: number) else { return }
            candidate.port = port
        }
        candidate.path = Self.text(attributes[.path]) ?? ""
        candidate.authenticationType = Self.text(attributes[.authenticationType])
        if case .date(let seconds)? = attributes[.modificationDate] { candidate.modified = seconds }
        switch attributes[.isNegative] {
        case .bool(let flag)?: candidate.isNegative = flag
        case .number(let number)?: candidate.isNegative = number != 0
        default: break
        }
        candidate.reference = reference
        candidates.append(candidate)
    }

    /// The text of an attribute; nil for none and for an empty one.
    private static func text(_ value: AttributeValue?) -> String? {
        switch value {
        case .string(let text)?: text.isEmpty ? nil : text
        case .data(let bytes)?: bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }
}
