import KeychainSync
import SyncRelay

/// ★ Table: the statements for the database, and its tables.
///
/// - Source: Documentation/Spec/relays.md §3.
package enum Statements {
    /// The version of the tables.
    static let version: Int64 = 2
    /// The number of partitions of each table, over which accounts are distributed.
    static let partCount = 16
    /// The advisory lock of the session that creates the tables: `ksyn`.
    static let lock: Int64 = 0x6B73_796E
    static let takeLock = "SELECT pg_advisory_xact_lock($1)"

    static let tables: [String] =
        [
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_schema (
                version bigint PRIMARY KEY
            )
            """,
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_streams (
                account bytea NOT NULL CHECK (octet_length(account) = 16),
                stream bytea NOT NULL CHECK (octet_length(stream) = \(StreamName.byteCount)),
                first_number bigint NOT NULL CHECK (first_number >= 0),
                next_number bigint NOT NULL CHECK (next_number > first_number),
                PRIMARY KEY (account, stream)
            ) PARTITION BY HASH (account)
            """,
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_entries (
                account bytea NOT NULL CHECK (octet_length(account) = 16),
                stream bytea NOT NULL CHECK (octet_length(stream) = \(StreamName.byteCount)),
                number bigint NOT NULL CHECK (number >= 0),
                entry bytea NOT NULL CHECK (octet_length(entry) <= \(RelayLimit.entryByteCount)),
                PRIMARY KEY (account, stream, number)
            ) PARTITION BY HASH (account)
            """,
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_links (
                account bytea NOT NULL CHECK (octet_length(account) = 16),
                part smallint NOT NULL CHECK (part IN (1, 2)),
                number bigint NOT NULL CHECK (number >= 0),
                digest bytea NOT NULL CHECK (digest = sha256(bytes)),
                bytes bytea NOT NULL CHECK (octet_length(bytes) <= CASE part
                    WHEN 1 THEN \(RelayLimit.linkByteCount) ELSE \(RelayLimit.boxesByteCount) END),
                PRIMARY KEY (account, part, number, digest)
            ) PARTITION BY HASH (account)
            """,
            // Ciphertext cannot be compressed.
            "ALTER TABLE keychain_sync_entries ALTER COLUMN entry SET STORAGE EXTERNAL",
            "ALTER TABLE keychain_sync_links ALTER COLUMN bytes SET STORAGE EXTERNAL",
        ] + (0..<partCount).flatMap(parts)

    private static func parts(_ number: Int) -> [String] {
        let values = "FOR VALUES WITH (MODULUS \(partCount), REMAINDER \(number))"
        return [
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_streams_\(number)
            PARTITION OF keychain_sync_streams \(values) WITH (fillfactor = 70)
            """,
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_entries_\(number)
            PARTITION OF keychain_sync_entries \(values)
            """,
            """
            CREATE TABLE IF NOT EXISTS keychain_sync_links_\(number)
            PARTITION OF keychain_sync_links \(values)
            """,
        ]
    }

    static let addVersion = """
        INSERT INTO keychain_sync_schema (version)
        SELECT $1 WHERE NOT EXISTS (SELECT FROM keychain_sync_schema)
        """

    static let findVersion = "SELECT to_regclass('keychain_sync_schema') IS NOT NULL"
    static let readVersion = "SELECT version FROM keychain_sync_schema"

    /// The settings of every session: no statement waits forever, and accepted data is durable.
    static let settings = """
        SELECT set_config('statement_timeout', '60s', false),
            set_config('lock_timeout', '30s', false),
            set_config('idle_in_transaction_session_timeout', '60s', false),
            set_config('client_min_messages', 'warning', false),
            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
        """

    package static let streams = """
        SELECT stream, first_number, next_number FROM keychain_sync_streams WHERE account = $1
        LIMIT \(RelayLimit.streamCount + 1)
        """

    /// Selects entries up to $4 bytes, and at most as many as a reader accepts at once.
    package static let entries = """
        SELECT number, entry FROM (
            SELECT number, entry, coalesce(sum(octet_length(entry)) OVER (
                ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
            FROM (SELECT number, entry FROM keychain_sync_entries
                WHERE account = $1 AND stream = $2 AND number >= $3
                ORDER BY number LIMIT 1024) AS next
        ) AS counted WHERE before < $4 ORDER BY number
        """

    /// Appends $5 entries and notifies the account's devices, if the first one is the stream's
    /// next.
    static let append = """
        WITH place AS (
            INSERT INTO keychain_sync_streams AS s (account, stream, first_number, next_number)
            VALUES ($1, $2, $3, $3 + $5)
            ON CONFLICT (account, stream) DO UPDATE SET next_number = excluded.next_number
            WHERE s.next_number = excluded.first_number
            RETURNING 1
        ), kept AS (
            INSERT INTO keychain_sync_entries (account, stream, number, entry)
            SELECT $1, $2, $3 + row.place - 1, row.entry
            FROM place, unnest($4) WITH ORDINALITY AS row (entry, place)
        ) SELECT pg_notify($6, 'streams') FROM place
        """

    /// Selects the existing entries with the numbers of those that could not be appended.
    static let present = """
        SELECT number, entry FROM keychain_sync_entries
        WHERE account = $1 AND stream = $2 AND number >= $3 AND number < $3 + $4 ORDER BY number
        """

    static let next = """
        SELECT next_number FROM keychain_sync_streams WHERE account = $1 AND stream = $2
        """

    static let trim = """
        WITH cut AS (
            UPDATE keychain_sync_streams SET first_number = least($3, next_number - 1)
            WHERE account = $1 AND stream = $2 AND first_number < least($3, next_number - 1)
            RETURNING first_number
        ) DELETE FROM keychain_sync_entries AS e USING cut
        WHERE e.account = $1 AND e.stream = $2 AND e.number < cut.first_number
        """

    static let remove = """
        WITH gone AS (
            DELETE FROM keychain_sync_streams WHERE account = $1 AND stream = $2
        ) DELETE FROM keychain_sync_entries WHERE account = $1 AND stream = $2
        """

    static let links = """
        SELECT number, digest FROM keychain_sync_links WHERE account = $1 AND part = 1
        ORDER BY number, digest LIMIT \(RelayLimit.linkCount + 1)
        """

    /// Selects the bytes of existing links, each with its position in the lists $3 and $4.
    static let stored = """
        SELECT asked.place, kept.bytes
        FROM unnest($3, $4) WITH ORDINALITY AS asked (number, digest, place)
        JOIN keychain_sync_links AS kept ON kept.account = $1 AND kept.part = $2
            AND kept.number = asked.number AND kept.digest = asked.digest
        """

    /// Stores a link, and notifies the account's devices; has no effect if it exists.
    static let store = """
        WITH kept AS (
            INSERT INTO keychain_sync_links (account, part, number, digest, bytes)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING part
        ) SELECT pg_notify($6, 'links') FROM kept WHERE part = 1
        """

    /// Returns the statement that listens to a channel, whose name has only letters and digits.
    static func listen(_ channel: String) -> String { "LISTEN \(channel)" }
}
