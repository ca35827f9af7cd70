import KeychainMigration
import KeychainModel

// ★ Table: the status of each failure of an old store. Only an I/O failure becomes `errSecIO`.
extension SourceFailure {
    var status: SecurityStatus {
        switch reason {
        case .missing: .itemNotFound
        case .damaged, .unknownClass: .decode
        case .symbolicLink, .notAFile, .unsupportedKey, .unsupportedValue: .param
        case .tooLarge: .dataTooLarge
        case .foreignOwner, .readOnlyFolder: .writePermission
        case .unreadable: .notAvailable
        case .undeletable: .io
        case .changed: .duplicateItem
        case .inUse: .openForWriting
        case .locked: .interactionNotAllowed
        }
    }
}
