import KeychainModel
import TestSupport
import Testing

/// A group of keys, and what each function says to one of them.
struct ApplicabilityRow: Sendable, CustomTestStringConvertible {
    let group: String
    let entries: AttributeDictionary
    /// For SecItemAdd, SecItemCopyMatching, SecItemUpdate's query, SecItemDelete.
    let statuses: [SecurityStatus]

    var testDescription: String { group }

    static let table: [ApplicabilityRow] = [
        row("class", [:], .success, .success, .success, .success),
        row("attribute", ["acct": .string("a")], .success, .success, .success, .success),
        row("match", ["m_Limit": .number(1)], .param, .success, .param, .param),
        row("return", ["r_Data": .bool(true)], .success, .success, .param, .success),
        row("value", ["v_Data": .data([1])], .success, .success, .success, .success),
    ]

    private static func row(
        _ group: String,
        _ entries: AttributeDictionary,
        _ statuses: SecurityStatus...
    ) -> ApplicabilityRow {
        ApplicabilityRow(group: group, entries: entries, statuses: statuses)
    }
}

@Suite struct `Which keys go with which function` {
    @Test(.requirement("QRY-05"), arguments: ApplicabilityRow.table)
    func `is the same for all keys of a group`(row: ApplicabilityRow) {
        let calls = VerbCase.all([ParserCase(row.group, row.entries)])
        let found = calls.map { $0.judge($0.call.dictionary(on: $0.base)).status }
        #expect(found == row.statuses)
    }
}

@Suite struct `Which attributes go with which class` {
    @Test(
        .requirement("CLS-31"),
        arguments: ItemClass.stored,
        Set(SchemaRow.expected.map(\.attribute))
    )
    func `is Apple's table`(itemClass: ItemClass, attribute: Attribute) {
        let rows = SchemaRow.expected.filter { $0.attribute == attribute }
        let row = rows.first { $0.classes.contains(itemClass) }
        let call = ParserCase(
            attribute.rawValue,
            [
                "class": .string(itemClass.rawValue),
                attribute.rawValue: Self.sample(of: (row ?? rows[0]).kind),
            ]
        )
        let verdict = VerbCase(verb: .copyMatching, call: call).judge(call.entries)
        let isHere = row != nil
        let reserved: [Attribute: SecurityStatus] = [
            .appClipItem: .param, .sharingGroup: .missingEntitlement,
            .systemBound: .missingEntitlement,
        ]
        let expected = isHere ? reserved[attribute] ?? .success : .noSuchAttribute
        let isTagOnCertificate = itemClass == .certificate && attribute == .applicationTag
        #expect(verdict.status == (isTagOnCertificate ? .param : expected))
    }

    private static func sample(of kind: AttributeKind) -> AttributeValue {
        switch kind {
        case .string, .blob: .string("x")
        case .data: .data([1])
        case .uuid: .data([])
        case .number: .number(1)
        case .date: .date(1)
        case .accessible: .string("ak")
        case .accessControl: .accessControl(AccessControl(protection: .always))
        }
    }
}
