/// The kinds of secure elements that a device's files name.
package enum SecureElementKind {
    /// The kind of `SoftwareSecureElement`.
    package static let software = "software"

    /// The kind of a TPM 2.0.
    package static let tpm = "tpm2"

    /// Returns the kind that a device's storage names; nil without a file.
    ///
    /// A file that does not belong to a chip counts as the software element's, which then reports
    /// any fault in it.
    /// - Throws: `storage`; `damaged` or `unsupportedVersion` for a chip's file.
    package static func recorded(
        in storage: any DeviceStorage
    ) throws(DeviceError) -> String? {
        let stored = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.read(.secureElement)
        }
        guard var bytes = stored else { return nil }
        defer { bytes.wipe() }
        guard ChipElementRecord.isRecord(bytes) else { return software }
        let path = storage.path(of: .secureElement)
        return try ChipElementRecord(parsing: bytes, path: path).kind
    }
}
