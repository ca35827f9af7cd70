import KeychainMessages
import KeychainModel

/// The record of the key under which all other records are sealed.
///
/// The bytes are: class (1) ‖ file (16) ‖ key set (16) ‖ wrapped key (40) ‖ access group, UTF-8.
///
/// - Source: Documentation/Spec/sync.md §8.
enum WrappedKeyFormat {
    private static let fixedByteCount =
        1 + FileIdentifier.byteCount + WrappedFileKey.keySetByteCount
        + WrappedFileKey.wrappedByteCount

    static func encode(_ key: WrappedFileKey) throws(SyncFailure) -> [UInt8] {
        guard key.isWellFormed, key.ephemeralPublicKey.isEmpty else {
            throw .damagedState("the key of the records is of another class")
        }
        return [key.fileClass.rawValue] + key.file.bytes + key.keySet + key.wrapped
            + Array(key.group.utf8)
    }

    static func decode(_ bytes: [UInt8]) throws(SyncFailure) -> WrappedFileKey {
        var rest = bytes[...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard bytes.count >= fixedByteCount,
            let fileClass = FileClass(rawValue: take(1)[0]),
            let file = FileIdentifier(take(FileIdentifier.byteCount))
        else { throw .damagedState("the key of the records is not what was written") }
        let keySet = take(WrappedFileKey.keySetByteCount)
        let wrapped = take(WrappedFileKey.wrappedByteCount)
        guard let group = String(validating: rest, as: UTF8.self) else {
            throw .damagedState("the key of the records is not what was written")
        }
        return WrappedFileKey(
            fileClass,
            file: file,
            group: group,
            keySet: keySet,
            ephemeralPublicKey: [],
            wrapped: wrapped
        )
    }
}
