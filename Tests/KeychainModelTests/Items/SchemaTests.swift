import KeychainModel
import TestSupport
import Testing

@Suite struct `The item schema` {
    @Test(arguments: SchemaRow.expected)
    func `has each attribute with its constant, kind and classes`(row: SchemaRow) {
        let found = Schema.rows.filter { spec in
            spec.attribute == row.attribute && spec.classes == row.classes
        }
        #expect(found.map(\.constant) == [row.constant])
        #expect(found.map(\.kind) == [row.kind])
    }

    @Test func `has no other rows`() {
        #expect(Schema.rows.count == SchemaRow.expected.count)
    }

    @Test(arguments: ItemClass.stored)
    func `has one row for an attribute of a class`(itemClass: ItemClass) {
        let attributes = Schema.rows.filter { $0.classes.contains(itemClass) }.map(\.attribute)
        #expect(attributes.count == Set(attributes).count)
        #expect(Schema.specs(of: itemClass).map(\.attribute) == attributes.sorted())
    }

    @Test func `names attributes by four letters, and constants as Apple does`() {
        #expect(Schema.rows.allSatisfy { $0.attribute.rawValue.utf8.count == 4 })
        #expect(Schema.rows.compactMap(\.constant).allSatisfy { $0.hasPrefix("kSec") })
    }

    @Test(
        arguments: [
            (ItemClass.genericPassword, "acct agrp svce sync"),
            (.internetPassword, "acct agrp atyp path port ptcl sdmn srvr sync"),
            (.certificate, "agrp ctyp issr slnr sync"),
            (.key, "agrp atag bsiz esiz kcls klbl sync tkid type"),
            (.identity, ""),
        ]
    )
    func `has the primary key of the class`(itemClass: ItemClass, letters: String) {
        let found = Schema.primaryKey(of: itemClass).map(\.rawValue)
        #expect(found == letters.split(separator: " ").map(String.init))
    }

    @Test(arguments: ItemClass.stored)
    func `gives every part of a primary key a value, except group and token`(itemClass: ItemClass) {
        let withoutValue = Schema.primaryKey(of: itemClass).filter { attribute in
            Schema.spec(attribute, in: itemClass)?.traits.contains(.defaulted) == false
        }
        #expect(Set(withoutValue).isSubset(of: [.accessGroup, .tokenID]))
    }

    @Test(arguments: ItemClass.allCases)
    func `looks an attribute up by class`(itemClass: ItemClass) {
        #expect(Schema.spec(Attribute(rawValue: "none"), in: itemClass) == nil)
        #expect(Schema.spec(.label, in: itemClass)?.attribute == .label)
    }

    @Test func `hides from Keychain Services what is not Apple's`() {
        #expect(Schema.hiddenFromServices == [.tokenAttributes, .lookupPairs])
    }

    @Test func `looks an identity's attributes up as a certificate's, then as a key's`() {
        let both = Schema.specs(of: .certificate) + Schema.specs(of: .key)
        #expect(Set(Schema.specs(of: .identity).map(\.attribute)) == Set(both.map(\.attribute)))
        let shared = Schema.spec(.tokenID, in: .identity)
        #expect(shared == Schema.spec(.tokenID, in: .certificate))
        #expect(shared != Schema.spec(.tokenID, in: .key))
    }
}

@Suite struct `The columns of an item table` {
    @Test(arguments: ItemClass.stored)
    func `are one per attribute that a query may name`(itemClass: ItemClass) {
        let filterable = Schema.specs(of: itemClass).filter { spec in
            spec.attribute != .accessControl && spec.attribute != .tokenAttributes
                && spec.traits.isDisjoint(with: [.refused, .privileged, .plainColumn, .pairTable])
        }
        #expect(Schema.digestColumns(of: itemClass) == filterable.map(\.attribute))
    }

    @Test func `are a digest or plain, never both`() {
        #expect(Schema.rows.allSatisfy { !$0.traits.isSuperset(of: [.searchable, .plainColumn]) })
        let plain = Schema.rows.filter { $0.traits.contains(.plainColumn) }.map(\.attribute)
        #expect(Set(plain) == [.synchronizable, .tombstone, .accessible])
    }

    @Test(arguments: ItemClass.stored)
    func `hold the whole primary key`(itemClass: ItemClass) {
        let columns = Schema.digestColumns(of: itemClass) + [.synchronizable]
        #expect(Set(Schema.primaryKey(of: itemClass)).isSubset(of: columns))
    }

    @Test(arguments: ItemClass.stored)
    func `carry the indexes`(itemClass: ItemClass) throws {
        let indexes = try #require(Schema.indexes[itemClass])
        let columns = Set(Schema.digestColumns(of: itemClass))
        #expect(indexes.allSatisfy { columns.isSuperset(of: $0) })
        #expect(Set(indexes).count == indexes.count)
        #expect(Schema.sparseIndexes[itemClass] == [.label] && columns.contains(.label))
    }

    @Test func `are not made for identities, which are not stored`() {
        #expect(Schema.digestColumns(of: .identity).isEmpty)
        #expect(Schema.indexes[.identity] == nil)
        #expect(!ItemClass.stored.contains(.identity))
    }
}
