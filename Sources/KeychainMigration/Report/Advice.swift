import Foundation

extension MigrationReport {
    /// The advice about backups, which the deletion of old copies does not reach.
    ///
    /// - Source: Migration guide, Trap 1 and Secure Deletion: Trust Cryptographic Erasure.
    public static let backupAdvice = """
        Backups made before this migration keep the plain text: deletion does not reach them. \
        Encrypt backups, remove old unencrypted ones, and change the secrets in them.
        """

    /// Adds advice that names the backups from before the migration, which contain the plain text.
    public mutating func warn(of backups: [BackupRecord], olderThan migration: Date) {
        let old = backups.filter { $0.date < migration }.sorted { $0.date < $1.date }
        guard !old.isEmpty else { return }
        let names = old.map { "\($0.id) (\(ISO8601DateFormatter().string(from: $0.date)))" }
        let sentence = "These backups are older than the migration and keep the plain text: "
        advice.append(sentence + names.joined(separator: ", ") + ".")
    }
}

/// A backup that exists somewhere.
///
/// ```swift
/// report.warn(of: [BackupRecord(id: "laptop", date: lastBackup)], olderThan: Date())
/// ```
public struct BackupRecord: Codable, Hashable, Sendable {
    /// The name by which its owner knows the backup.
    public let id: String
    /// The date of the backup.
    public let date: Date

    /// Creates the record of a backup.
    public init(id: String, date: Date) {
        self.id = id
        self.date = date
    }
}
