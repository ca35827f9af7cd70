import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A search by attributes that has to be answered from an index.
private struct Lookup: CustomTestStringConvertible, Sendable {
    let itemClass: ItemClass
    let attributes: [Attribute]
    let index: String

    init(_ itemClass: ItemClass, _ attributes: [Attribute], _ index: String) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.index = index
    }

    /// The whole primary key of a class.
    init(_ itemClass: ItemClass, _ index: String) {
        // The caller's group and "not synchronizable" are part of every search that names neither.
        let managed: Set<Attribute> = [.accessGroup, .synchronizable]
        let key = Schema.primaryKey(of: itemClass).filter { !managed.contains($0) }
        self.init(itemClass, key, index)
    }

    var testDescription: String { "\(itemClass.rawValue) by \(attributes.map(\.rawValue))" }

    var dictionary: AttributeDictionary {
        var dictionary: AttributeDictionary = [.itemClass: .string(itemClass.rawValue)]
        for attribute in attributes {
            guard let spec = Schema.spec(attribute, in: itemClass) else { continue }
            dictionary[attribute] =
                switch spec.kind {
                case .number: .number(7)
                case .data: .data([7])
                case .date: .date(7)
                default: .string("seven")
                }
        }
        return dictionary
    }
}

private let lookups = [
    Lookup(.genericPassword, "sqlite_autoindex_genp_1 (pkey=?)"),
    Lookup(.internetPassword, "sqlite_autoindex_inet_1 (pkey=?)"),
    Lookup(.certificate, "sqlite_autoindex_cert_1 (pkey=?)"),
    Lookup(.key, "sqlite_autoindex_keys_1 (pkey=?)"),
    Lookup(.genericPassword, [.account, .service], "sqlite_autoindex_genp_1 (pkey=?)"),
    Lookup(.genericPassword, [.service], "i_genp_svce_acct"),
    Lookup(.genericPassword, [.account], "i_genp_acct"),
    Lookup(.internetPassword, [.server, .account], "i_inet_srvr_acct"),
    Lookup(.certificate, [.subject], "i_cert_subj"),
    Lookup(.key, [.applicationTag], "i_keys_atag"),
    Lookup(.genericPassword, [.label], "i_genp_labl (d_labl=?)"),
    Lookup(.internetPassword, [.label], "i_inet_labl (d_labl=?)"),
    Lookup(.certificate, [.label], "i_cert_labl (d_labl=?)"),
    Lookup(.key, [.label], "i_keys_labl (d_labl=?)"),
    Lookup(.genericPassword, [.account, .label, .service], "sqlite_autoindex_genp_1 (pkey=?)"),
    Lookup(.genericPassword, [.account, .label], "i_genp_acct (d_acct=?)"),
    Lookup(.key, [.label, .applicationTag], "i_keys_atag (d_atag=?)"),
]

@Suite struct `A search` {
    private func plan(_ dictionary: AttributeDictionary, of fixture: EngineFixture) throws -> String
    {
        var parser = QueryParser(.copyMatching, profiles: fixture.engine.profiles)
        let authorizer = try Authorizer(fixture.keychain.endpoint.caller, on: .host)
        let query = try authorizer.authorize(try parser.select(dictionary))
        return try fixture.inside { state throws(KeychainError) in
            let filter = try state.vault.filter(for: query.query.selection, in: query.scope)
            let text = SearchShape(filter.itemClass, filter.terms, .rowsWithSecrets).text
            let statement = try state.vault.store.connection.prepare(
                "EXPLAIN QUERY PLAN " + text
            )
            var lines: [String] = []
            while try statement.step(on: state.vault.store.connection) {
                lines.append(String(decoding: statement.bytes(at: 3) ?? [], as: UTF8.self))
            }
            return lines.joined(separator: "; ")
        }
    }

    @Test(.requirement("STO-06"), arguments: lookups)
    fileprivate func `that names an index's attributes uses it`(lookup: Lookup) throws {
        let plan = try plan(lookup.dictionary, of: try EngineFixture())
        #expect(plan.contains("USING INDEX \(lookup.index)"), "\(plan)")
        #expect(!plan.contains("SCAN"), "\(plan)")
    }

    @Test(.requirement("STO-06"))
    func `for a class alone reads the whole table`() throws {
        let plan = try plan(.of(.genericPassword), of: try EngineFixture())
        #expect(plan.contains("SCAN genp"), "\(plan)")
    }

    @Test(.requirement("STO-06"))
    func `by the primary key stays as fast among a hundred thousand items`() throws {
        let fixture = try EngineFixture.unlocked()
        let keychain = fixture.keychain
        keychain.add(password("ada"))
        let few = slowest(of: 200) { _ = keychain.read(password("ada")) }
        try fixture.inside { state throws(KeychainError) in
            try state.vault.store.connection.execute(Self.fill(rowCount: 100_000))
        }
        #expect(keychain.read(password("ada")) == .value("open sesame"))
        let many = slowest(of: 200) { _ = keychain.read(password("ada")) }
        #expect(many < few * 20 + .milliseconds(5), "\(few) among 1, \(many) among 100 001")
    }

    /// The 99th percentile of what calls take of the processor.
    private func slowest(of count: Int, _ call: () -> Void) -> Duration {
        let durations = (0..<count).map { _ in threadTime(call) }.sorted()
        return durations[count * 99 / 100]
    }

    /// Rows with random digests, and halves that nothing opens.
    private static func fill(rowCount: Int) -> String {
        let digests = Schema.digestColumns(of: .genericPassword).map(StoreSchema.column)
        let columns = StoreSchema.fixedColumns + digests + ["metadata"]
        let random = Array(repeating: "randomblob(16)", count: digests.count)
        let values =
            ["randomblob(16)", "6", "0", "0", "randomblob(16)"] + random + ["zeroblob(64)"]
        return """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
            INSERT INTO genp (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM n
            """
    }
}
