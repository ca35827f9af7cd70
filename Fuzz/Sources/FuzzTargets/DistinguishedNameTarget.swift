import Cryptography

extension FuzzTarget {
    /// A name, whole or without its outer element: a normalized name stays as it is.
    static let distinguishedName = FuzzTarget(
        name: "distinguished-name"
    ) { bytes throws(BrokenLaw) in
        guard let content = try? DistinguishedName.normalizedContent(ofNameOrContent: bytes) else {
            return .refused
        }
        let again = try? DistinguishedName.normalizedContent(ofNameOrContent: content)
        try require(again == content, "a normalized name stays as it is")
        return .accepted
    }
}
