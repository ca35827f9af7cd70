import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

/// A key, and what each function says to it: the same as to the other keys of its group, but that
/// a search for passwords cannot go by what certificates alone have.
struct ApplicabilityRow: Sendable, CustomTestStringConvertible {
    let name: String
    let entries: AttributeDictionary
    /// For SecItemAdd, SecItemCopyMatching, SecItemUpdate's query, SecItemDelete.
    let statuses: [SecurityStatus]

    var testDescription: String { name }

    static let table: [ApplicabilityRow] =
        [
            ApplicabilityRow(name: .itemClass, entries: [:], statuses: everywhere),
            ApplicabilityRow(
                name: .account,
                entries: [.account: .string("a")],
                statuses: everywhere
            ),
            ApplicabilityRow(
                name: .valueData,
                entries: [.valueData: .data([1])],
                statuses: everywhere
            ),
        ] + keys(of: .match, .param, .success, .param, .param)
        + keys(of: .returns, .success, .success, .param, .success)

    private static let everywhere: [SecurityStatus] = [.success, .success, .success, .success]

    /// Every key of the group with a value that it takes.
    private static func keys(
        of group: QueryKey.Group,
        _ statuses: SecurityStatus...
    ) -> [ApplicabilityRow] {
        QueryKey.table.filter { $0.group == group }.map { row in
            let name = row.key.rawValue
            var entries: AttributeDictionary = [:]
            entries[name] = sample(of: row.shape)
            let isOfCertificates = ofCertificates.contains(row.key)
            let answers = statuses.map { $0 == .success && isOfCertificates ? .unimplemented : $0 }
            return ApplicabilityRow(name: name, entries: entries, statuses: answers)
        }
    }

    private static let ofCertificates: Set<QueryKey> = [
        .matchPolicy, .matchIssuers, .matchHostOrSubdomain,
    ]

    private static func sample(of shape: QueryKey.Shape) -> AttributeValue {
        switch shape {
        case .bool, .flag: .bool(true)
        case .text, .classLetters, .anything: .string("x")
        case .bytes: .data([1])
        case .limit: .number(1)
        case .issuers: .array([.data([0x30, 0])])
        case .validityDate: .date(1)
        case .policy: .policy(.init(.tlsServer))
        }
    }
}

@Suite struct `Which keys go with which function` {
    @Test(.requirement("QRY-05"), arguments: ApplicabilityRow.table)
    func `depends on the key's group`(row: ApplicabilityRow) {
        let calls = VerbCase.all([ParserCase(row.name, row.entries)])
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
                .itemClass: .string(itemClass.rawValue),
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
        case .uuid, .pairs: .data([])
        case .number: .number(1)
        case .date: .date(1)
        case .accessible: .string(.whenUnlocked)
        case .accessControl: .accessControl(AccessControl(protection: .always))
        }
    }
}
