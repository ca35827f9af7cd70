import KeychainModel

/// The extent of a check.
package enum CheckExtent: Sendable, Hashable {
    /// The database's pages and the keychain's keys.
    case database
    /// Every row as well.
    case everything
}

/// A part of a keychain that is not as it was stored.
package enum CheckFault: Sendable, Hashable {
    /// A row that does not open; it counts as absent and is never deleted.
    case row(UnreadableRow)
    /// The metadata key of a protection class is damaged, so no item of the class opens.
    case metadataKey(ProtectionClass)
    /// The name of an access group, by its digest in hexadecimal, does not open.
    case groupName(String)
    /// A sentence about the database, from SQLite or about its schema.
    case database(String)
    /// The rows are not those written last: one was restored to an earlier state, or removed.
    ///
    /// `found` is the number of rows, nil if they cannot be read. `written` is the number that
    /// there should be, nil if the row sum is damaged.
    case rowSum(found: Int?, written: Int?)
}

/// A row that cannot be opened, with the attributes that identify it, if they are known.
package struct UnreadableRow: Sendable, Hashable {
    /// The part of a row that does not open.
    package enum Part: String, Sendable, Hashable {
        /// A column has an invalid value.
        case columns
        case attributes
        case value
    }

    package let itemClass: ItemClass
    /// The number of the row.
    package let row: Int64
    package let part: Part
    /// Group, label, account and so on, if the attributes open or the group is known.
    package var attributes: AttributeValues = [:]

    package init(_ itemClass: ItemClass, row: Int64, _ part: Part) {
        self.itemClass = itemClass
        self.row = row
        self.part = part
    }
}

/// An item that opens only with a passcode or an enrolment.
package struct BoundItem: Sendable, Hashable {
    /// The reason for the bond.
    package enum Bond: Sendable, Hashable {
        /// Its class exists only while a passcode is set.
        case passcodeClass
        /// Its access control requires the passcode or an enrolment.
        case accessControl
    }

    package let itemClass: ItemClass
    /// The number of the row.
    package let row: Int64
    package let bond: Bond
    /// The attributes that identify the item, if they open.
    package var attributes: AttributeValues = [:]

    package init(_ itemClass: ItemClass, row: Int64, _ bond: Bond) {
        self.itemClass = itemClass
        self.row = row
        self.bond = bond
    }
}

/// The result of a check in numbers.
package struct CheckReport: Sendable, Hashable {
    /// The number of sound items by class.
    package var soundCounts: [ItemClass: Int] = [:]
    /// The number of rows in classes that this lock state keeps closed.
    package var lockedCount = 0
    /// The number of sound tombstones, which record deleted items and have no value.
    package var tombstoneCount = 0
    /// The number of rows whose attributes opened, and whose value needs an authentication.
    package var guardedCount = 0
    /// The number of guarded rows that no longer open: their passcode or enrolment is gone.
    package var endedCount = 0
    package var faultCount = 0
    /// The number of live items in each access group; groups without any are absent.
    package var groupCounts: [String: Int] = [:]
    /// Whether earlier values may still be in the database's log, because other processes read it.
    package var mayHoldEarlierValues = false

    package init() {}

    package var soundCount: Int { soundCounts.values.reduce(0, +) }

    /// The number of damaged rows.
    package var unreadableCount = 0
    /// The number of rows that the check read.
    package var rowCount: Int {
        soundCount + tombstoneCount + lockedCount + guardedCount + unreadableCount
    }
}
