import KeychainModel

extension ItemStore {
    /// Returns the wrapped metadata key of a protection class; nil before its first item.
    package borrowing func metadataKey(
        of protection: ProtectionClass
    ) throws(KeychainError) -> [UInt8]? {
        let statement = try statement("SELECT wrapped FROM metadata_keys WHERE class = ?")
        defer { statement.reset() }
        try statement.bind(Int64(protection.rawValue), on: connection)
        return try statement.step(on: connection) ? statement.bytes(at: 0) : nil
    }

    /// Inserts the wrapped metadata key of a protection class that has none yet.
    package borrowing func insertMetadataKey(
        _ wrapped: [UInt8],
        of protection: ProtectionClass
    ) throws(KeychainError) {
        let text = "INSERT INTO metadata_keys (class, wrapped) VALUES (?, ?)"
        let statement = try statement(text)
        try statement.bind(Int64(protection.rawValue), on: connection)
        try statement.bind(wrapped, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
    }

    /// Returns the digest and sealed name of every access group that ever had an item.
    package borrowing func accessGroups() throws(KeychainError) -> [(
        digest: [UInt8], name: [UInt8]
    )] {
        let statement = try statement("SELECT digest, name FROM access_groups")
        defer { statement.reset() }
        var groups: [(digest: [UInt8], name: [UInt8])] = []
        while try statement.step(on: connection) {
            guard let digest = statement.bytes(at: 0), let name = statement.bytes(at: 1) else {
                continue
            }
            groups.append((digest, name))
        }
        return groups
    }

    /// Whether the group ever had an item.
    package borrowing func knowsAccessGroup(digest: [UInt8]) throws(KeychainError) -> Bool {
        let statement = try statement("SELECT 1 FROM access_groups WHERE digest = ?")
        defer { statement.reset() }
        try statement.bind(digest, on: connection)
        return try statement.step(on: connection)
    }

    /// Inserts the sealed name of an access group.
    package borrowing func insertAccessGroup(
        digest: [UInt8],
        name: [UInt8]
    ) throws(KeychainError) {
        let text = "INSERT OR IGNORE INTO access_groups (digest, name) VALUES (?, ?)"
        let statement = try statement(text)
        try statement.bind(digest, on: connection)
        try statement.bind(name, on: connection)
        try statement.run(on: connection)
    }
}
