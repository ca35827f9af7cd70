import KeychainModel

extension FuzzTarget {
    /// The bytes of `kSecValuePersistentRef`: what is read is written as it was.
    static let persistentReference = FuzzTarget(
        name: "persistent-reference"
    ) { bytes throws(BrokenLaw) in
        guard let reference = PersistentReference(decoding: bytes) else { return .refused }
        try require(reference.encoded == bytes, "a reference is written as it was read")
        return .accepted
    }
}
