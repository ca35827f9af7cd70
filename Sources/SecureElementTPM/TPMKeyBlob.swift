import DataProtection

@_implementationOnly import CTSS

/// The parts of the UID key that are stored outside the TPM.
///
/// They are not secret from the TPM's owner.
///
/// - Source: Documentation/Spec/keybag.md §4.2.
struct TPMKeyBlob {
    /// The name of the storage key, 34 bytes, which identifies the TPM.
    let storageKeyName: [UInt8]

    /// The description of the key.
    let publicArea: TPM2B_PUBLIC

    /// The key itself, wrapped under the storage key.
    let privateArea: TPM2B_PRIVATE

    private static let nameByteCount = 34
    private static let areaByteLimit = 1900

    init(storageKeyName: [UInt8], publicArea: TPM2B_PUBLIC, privateArea: TPM2B_PRIVATE) {
        self.storageKeyName = storageKeyName
        self.publicArea = publicArea
        self.privateArea = privateArea
    }

    /// Parses the name, the public area and the private area.
    ///
    /// - Throws: `element` for malformed bytes, and for another kind of key.
    init(decoding bytes: [UInt8], by library: TPMLibrary) throws(DeviceError) {
        guard bytes.count > Self.nameByteCount else { throw Self.unreadable }
        storageKeyName = [UInt8](bytes.prefix(Self.nameByteCount))
        var offset = Self.nameByteCount
        var publicArea = TPM2B_PUBLIC()
        var privateArea = TPM2B_PRIVATE()
        guard
            library.unmarshalPublic(bytes, bytes.count, &offset, &publicArea) == 0,
            library.unmarshalPrivate(bytes, bytes.count, &offset, &privateArea) == 0,
            offset == bytes.count, publicArea.isHMACKey
        else { throw Self.unreadable }
        self.publicArea = publicArea
        self.privateArea = privateArea
    }

    /// Encodes the name and the areas.
    ///
    /// - Throws: `element` for areas that are too large.
    func encoded(by library: TPMLibrary) throws(DeviceError) -> [UInt8] {
        var areas = [UInt8](repeating: 0, count: Self.areaByteLimit)
        var offset = 0
        var publicArea = publicArea
        var privateArea = privateArea
        guard
            storageKeyName.count == Self.nameByteCount,
            library.marshalPublic(&publicArea, &areas, areas.count, &offset) == 0,
            library.marshalPrivate(&privateArea, &areas, areas.count, &offset) == 0
        else { throw .element(reason: "the TPM made a key in an unknown form") }
        return storageKeyName + areas.prefix(offset)
    }

    private static var unreadable: DeviceError {
        .element(reason: "the file contains no TPM key, or a damaged one; nothing was deleted")
    }
}
