import KeychainModel

/// The database's tables, derived from the item schema.
///
/// - Source: Documentation/Spec/store.md.
enum StoreSchema {
    /// Marks the file as a keychain: the letters `KCHN` as a number.
    static let applicationID: Int64 = 0x4B43_484E

    /// The version that this program writes; stored as `user_version`.
    static let version: Int64 = Int64(migrations.count)

    /// Step n takes a database from version n to n + 1; steps are only ever appended.
    static let migrations: [[String]] = [
        initial, sparseIndexes, rowSum, envelopes, keySet, publicKeys, lookupPairs,
        fileKeys, syncRecords, handleKeys,
    ]

    /// The fixed columns of an item table, between the row number and the digest columns.
    static let fixedColumns = ["pkey", "pdmn", "sync", "tomb", "pref"]

    /// Returns the name of an attribute's digest column.
    static func column(_ attribute: Attribute) -> String { "d_" + attribute.rawValue }

    /// Returns the name of an index on the digests of attributes.
    static func indexName(of table: String, _ attributes: [Attribute]) -> String {
        "i_" + ([table] + attributes.map(\.rawValue)).joined(separator: "_")
    }

    /// The column with the digest of the public key, for keys whose owner chose their label.
    static let publicKeyColumn = "d_pkhh"

    /// Returns the columns after the digests of attributes.
    static func furtherColumns(of itemClass: ItemClass) -> [String] {
        itemClass == .key ? [publicKeyColumn] : []
    }

    private static let initial: [String] =
        [
            """
            CREATE TABLE access_groups (digest BLOB PRIMARY KEY NOT NULL, name BLOB NOT NULL)
                WITHOUT ROWID
            """,
            """
            CREATE TABLE metadata_keys (class INTEGER PRIMARY KEY NOT NULL, wrapped BLOB NOT NULL)
            """,
        ] + ItemClass.stored.flatMap(tableStatements)

    private static func tableStatements(_ itemClass: ItemClass) -> [String] {
        let table = itemClass.rawValue
        let digests = Schema.digestColumns(of: itemClass).map { "\(column($0)) BLOB" }
        let create = """
            CREATE TABLE \(table) (
                row INTEGER PRIMARY KEY AUTOINCREMENT,
                pkey BLOB NOT NULL UNIQUE,
                pdmn INTEGER NOT NULL,
                sync INTEGER NOT NULL,
                tomb INTEGER NOT NULL,
                pref BLOB NOT NULL UNIQUE,
                \(digests.joined(separator: ",\n    ")),
                metadata BLOB NOT NULL,
                secret BLOB
            )
            """
        let indexes = (Schema.indexes[itemClass] ?? []).map { attributes in
            let columns = attributes.map(column).joined(separator: ", ")
            return "CREATE INDEX \(indexName(of: table, attributes)) ON \(table) (\(columns))"
        }
        return [create] + indexes
    }

    /// Returns the columns of an item table that have an index.
    static func indexedColumns(of itemClass: ItemClass) -> Set<String> {
        let attributes =
            (Schema.indexes[itemClass] ?? []).flatMap(\.self)
            + (Schema.sparseIndexes[itemClass] ?? [])
        return Set(attributes.map(column)).union(["pkey", "pref"])
            .union(furtherColumns(of: itemClass))
    }

    private static let rowSum = [
        "CREATE TABLE row_sum (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL)"
    ]

    /// A step without a change of tables.
    ///
    /// It raises the version, so that a program without envelopes refuses the database. Otherwise
    /// it would take the rows for damaged.
    private static let envelopes: [String] = []

    private static let keySet = [
        "CREATE TABLE key_set (id INTEGER PRIMARY KEY CHECK (id = 1), name BLOB NOT NULL)"
    ]

    private static let publicKeys = [
        "ALTER TABLE keys ADD COLUMN \(publicKeyColumn) BLOB",
        """
        CREATE INDEX i_keys_pkhh ON keys (\(publicKeyColumn))
            WHERE \(publicKeyColumn) IS NOT NULL
        """,
    ]

    /// The table with a digest for each pair of a generic password.
    static let pairTable = "lookup_pairs"

    private static let lookupPairs = [
        """
        CREATE TABLE \(pairTable) (
            digest BLOB NOT NULL,
            row INTEGER NOT NULL,
            PRIMARY KEY (digest, row)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX i_\(pairTable)_row ON \(pairTable) (row)",
    ]

    private static let fileKeys = [
        """
        CREATE TABLE file_keys (
            number INTEGER PRIMARY KEY NOT NULL,
            name BLOB NOT NULL,
            class INTEGER NOT NULL CHECK (class BETWEEN 1 AND 4),
            public BLOB NOT NULL,
            wrapped BLOB NOT NULL,
            code BLOB NOT NULL,
            UNIQUE (name, class)
        )
        """
    ]

    /// The table of the records of synchronization.
    private static let syncRecords = [
        """
        CREATE TABLE sync_records (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)
            WITHOUT ROWID
        """
    ]

    /// The table of handle keys.
    private static let handleKeys = [
        """
        CREATE TABLE handle_keys (
            key_set BLOB NOT NULL,
            class INTEGER NOT NULL,
            sealed BLOB NOT NULL,
            PRIMARY KEY (key_set, class)
        ) WITHOUT ROWID
        """
    ]

    private static let sparseIndexes: [String] = ItemClass.stored.flatMap { itemClass in
        let table = itemClass.rawValue
        return (Schema.sparseIndexes[itemClass] ?? []).map { attribute in
            let name = indexName(of: table, [attribute])
            let digest = column(attribute)
            return "CREATE INDEX \(name) ON \(table) (\(digest)) WHERE \(digest) IS NOT NULL"
        }
    }
}
