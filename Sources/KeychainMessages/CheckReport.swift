import KeychainModel

/// How much a check looks at.
package enum CheckExtent: Sendable, Hashable {
    /// The database's pages and the keychain's keys.
    case database
    /// Every row as well.
    case everything
}

/// Something in a keychain that is not as it was stored.
package enum CheckFault: Sendable, Hashable {
    /// A row that does not open as what was sealed; it counts as absent and is never deleted.
    case row(UnreadableRow)
    /// The metadata key of a protection class: no item of the class opens.
    case metadataKey(ProtectionClass)
    /// The name of an access group, by its digest in hexadecimal.
    case groupName(String)
    /// A sentence of SQLite's about the database.
    case database(String)
    /// The rows are not the ones that were written last: one was put back as it was before, or
    /// taken away.
    ///
    /// With how many there are, nil if they cannot be read, and how many there should be, nil if
    /// that is damaged.
    case rowSum(found: Int?, written: Int?)
}

/// A row that cannot be opened, as far as it can be named.
package struct UnreadableRow: Sendable, Hashable {
    /// What does not open.
    package enum Part: String, Sendable, Hashable {
        /// The columns make no sense together with any class.
        case columns
        case attributes
        case value
    }

    package let itemClass: ItemClass
    /// The number of the row.
    package let row: Int64
    package let part: Part
    /// The group, label, account and so on, where the attributes open or the group is known.
    package var attributes: AttributeValues = [:]

    package init(_ itemClass: ItemClass, row: Int64, _ part: Part) {
        self.itemClass = itemClass
        self.row = row
        self.part = part
    }
}

/// An item that opens only with a passcode or an enrolment.
package struct BoundItem: Sendable, Hashable {
    /// What binds it.
    package enum Bond: Sendable, Hashable {
        /// Its class exists only while a passcode is set.
        case passcodeClass
        /// Its access control.
        case accessControl
    }

    package let itemClass: ItemClass
    /// The number of the row.
    package let row: Int64
    package let bond: Bond
    /// What names the item, where its attributes open.
    package var attributes: AttributeValues = [:]

    package init(_ itemClass: ItemClass, row: Int64, _ bond: Bond) {
        self.itemClass = itemClass
        self.row = row
        self.bond = bond
    }
}

/// What a check found, in numbers.
package struct CheckReport: Sendable, Hashable {
    /// Items that opened as what was stored, by class.
    package var soundCounts: [ItemClass: Int] = [:]
    /// Rows of classes that this lock state keeps closed.
    package var lockedCount = 0
    /// Tombstones that opened: records of deleted items, which have no value.
    package var tombstoneCount = 0
    /// Rows whose attributes opened, and whose value needs an authentication.
    package var guardedCount = 0
    /// Guarded rows whose passcode or enrolment is gone: nothing opens them any more.
    package var endedCount = 0
    package var faultCount = 0
    /// How many live items each access group holds; groups without any are left out.
    package var groupCounts: [String: Int] = [:]
    /// Whether values of before may still be in the database's log, because others read.
    package var mayHoldEarlierValues = false

    package init() {}

    package var soundCount: Int { soundCounts.values.reduce(0, +) }

    /// Rows that do not open as what was stored.
    package var unreadableCount = 0
    /// Every row that the check read.
    package var rowCount: Int {
        soundCount + tombstoneCount + lockedCount + guardedCount + unreadableCount
    }
}
