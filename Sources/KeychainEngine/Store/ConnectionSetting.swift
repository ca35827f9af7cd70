@_implementationOnly import CSQLite

/// A setting of a connection that prevents the file from changing the effect of our statements.
struct ConnectionSetting: Sendable {
    let number: Int32
    let value: Int32

    // ★ Table: features that the file's schema must not use; sqlite.org, "Defense Against The Dark
    // Arts".
    static let all: [ConnectionSetting] = [
        off(SQLITE_DBCONFIG_ENABLE_TRIGGER),
        off(SQLITE_DBCONFIG_ENABLE_VIEW),
        off(SQLITE_DBCONFIG_TRUSTED_SCHEMA),
        off(SQLITE_DBCONFIG_DQS_DML),
        off(SQLITE_DBCONFIG_DQS_DDL),
        off(SQLITE_DBCONFIG_WRITABLE_SCHEMA),
        off(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION),
        off(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER),
        ConnectionSetting(number: SQLITE_DBCONFIG_DEFENSIVE, value: 1),
    ]

    private static func off(_ number: Int32) -> ConnectionSetting {
        ConnectionSetting(number: number, value: 0)
    }
}
