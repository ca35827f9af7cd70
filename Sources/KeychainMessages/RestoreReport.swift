/// The result of a restore.
///
/// ```swift
/// let report = try newPhone.restore(backup, password: "secret")
/// print(report.restoredCount, report.foreignCount, report.keptCount)
/// ```
public struct RestoreReport: Sendable, Hashable {
    /// An item of the backup that has the same primary key as an item of the device.
    ///
    /// ```swift
    /// for conflict in report.conflicts where conflict.isReplaced {
    ///     print(conflict.itemClass, conflict.name ?? "")
    /// }
    /// ```
    public struct Conflict: Sendable, Hashable {
        /// The item class, such as `genp`.
        public let itemClass: String
        /// The access group of both items.
        public let accessGroup: String
        /// The label of the item that remains, or its account; nil if it has neither.
        public let name: String?
        /// Whether the backup's item replaced the device's, because the device's was older.
        public let isReplaced: Bool

        package init(itemClass: String, accessGroup: String, name: String?, isReplaced: Bool) {
            self.itemClass = itemClass
            self.accessGroup = accessGroup
            self.name = name
            self.isReplaced = isReplaced
        }
    }

    /// The number of items written, including replacements.
    public package(set) var restoredCount = 0
    /// The number of items left out because only the device of the backup can open them.
    public package(set) var foreignCount = 0
    /// The number of items left out because they were deleted on the device after the backup.
    public package(set) var deletedCount = 0
    /// The items that existed on the device already.
    public package(set) var conflicts: [Conflict] = []

    package init() {}

    /// The number of the device's own items that remain although the backup has them too.
    public var keptCount: Int { conflicts.count { !$0.isReplaced } }
}
