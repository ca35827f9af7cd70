import KeychainSync

/// The names of files with links and boxes; the files contain only their bytes.
///
/// - Source: Documentation/Spec/relays.md §2.
extension LinkPart {
    /// The account's directory with these files.
    var folderName: String {
        switch self {
        case .link: "links"
        case .boxes: "boxes"
        }
    }

    private var ending: String {
        switch self {
        case .link: ".link"
        case .boxes: ".boxes"
        }
    }

    func fileName(of place: LinkPlace) -> String {
        EntryFile.digits(place.number) + "-" + place.digest.hexadecimal + ending
    }

    /// Returns the place that a name means; nil for a name that no device writes.
    func place(ofFile name: String) -> LinkPlace? {
        let byteCount = EntryFile.digitCount + 1 + 2 * SyncDigest.byteCount
        guard let number = EntryFile.number(name), name.utf8.count == byteCount + ending.utf8.count
        else { return nil }
        let digits = name.utf8.prefix(byteCount).dropFirst(EntryFile.digitCount + 1)
        let digest = SyncDigest(hexadecimal: String(decoding: digits, as: UTF8.self))
        let place = digest.map { LinkPlace(number: number, digest: $0) }
        return place.flatMap { fileName(of: $0) == name ? $0 : nil }
    }
}
