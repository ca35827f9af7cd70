import KeychainModel
import Secrets
import TestSupport
import Testing

private let control = AccessControl(protection: .whenUnlocked, flags: .userPresence)

/// One value of each type that a dictionary can hold.
enum CoercionSample: CaseIterable {
    case text, data, number, wholeReal, real, truth, date, accessControl
    case array, null, secret, anotherType

    var value: AttributeValue {
        switch self {
        case .text: .string("x")
        case .data: .data([0x78])
        case .number: .number(7)
        case .wholeReal: .real(7)
        case .real: .real(1.5)
        case .truth: .bool(true)
        case .date: .date(1)
        case .accessControl: .accessControl(control)
        case .array: .array([.number(7)])
        case .null: .null
        case .secret: .secret(SharedSecret(Secret(copying: [1, 2, 3])))
        case .anotherType: .unsupported(typeName: "NSURL")
        }
    }
}

/// One kind of attribute, and what each sample that it takes becomes in it.
struct CoercionRow: Sendable, CustomTestStringConvertible {
    let kind: AttributeKind
    let taken: [CoercionSample: AttributeValue]

    var testDescription: String { "\(kind)" }

    init(_ kind: AttributeKind, takes taken: [CoercionSample: AttributeValue]) {
        self.kind = kind
        self.taken = taken
    }

    static let table: [CoercionRow] = [
        .init(.string, takes: [.text: .string("x"), .data: .string("x")]),
        .init(.pairs, takes: [:]),
        .init(.accessible, takes: [.text: .string("x"), .data: .string("x")]),
        .init(
            .data,
            takes: [.text: .data([0x78]), .data: .data([0x78]), .number: .data([7, 0, 0, 0])]
        ),
        .init(
            .blob,
            takes: [
                .text: .string("x"), .data: .data([0x78]), .number: .number(7),
                .wholeReal: .number(7), .real: .real(1.5),
            ]
        ),
        .init(
            .number,
            takes: [
                .text: .string("x"), .number: .number(7), .wholeReal: .number(7),
                .real: .real(1.5), .truth: .number(1),
            ]
        ),
        .init(.date, takes: [.date: .date(1)]),
        .init(.uuid, takes: [.null: .data([])]),
        .init(.accessControl, takes: [.accessControl: .accessControl(control)]),
    ]
}

@Suite struct `Coercing a value` {
    @Test(arguments: CoercionRow.table)
    func `takes the types of its kind and refuses all others`(row: CoercionRow) {
        let pairs = CoercionSample.allCases.compactMap { sample in
            Coercion.coerce(sample.value, to: row.kind).map { (sample, $0) }
        }
        #expect(Dictionary(uniqueKeysWithValues: pairs) == row.taken)
    }

    @Test(
        arguments: [
            ("0", AttributeValue.number(0)), ("80", .number(80)), ("-5", .number(-5)),
            ("2147483647", .number(2_147_483_647)), ("-2147483648", .number(-2_147_483_648)),
            ("2147483648", .string("2147483648")), ("", .string("")), ("http", .string("http")),
            ("+80", .string("+80")), ("080", .string("080")), (" 80", .string(" 80")),
            ("80 ", .string("80 ")), ("8e1", .string("8e1")), ("٨٠", .string("٨٠")),
        ]
    )
    func `reads text as a number only if the number is written just so`(
        text: String,
        expected: AttributeValue
    ) {
        #expect(Coercion.coerce(.string(text), to: .number) == expected)
    }

    @Test(
        arguments: [
            ([0xFF], nil), ([0xC3, 0x28], nil), ([0xED, 0xA0, 0x80], nil), ([], ""),
            ([0xC3, 0xA9], "é"), ([0x61, 0x00, 0x62], "a\u{0}b"),
        ] as [([UInt8], String?)]
    )
    func `reads bytes as text only if they are valid UTF-8`(bytes: [UInt8], expected: String?) {
        let found = Coercion.coerce(.data(bytes), to: .string)
        #expect(found == expected.map(AttributeValue.string))
    }

    @Test(arguments: [Int64.min, -1 << 32, 1 << 31, .max])
    func `makes bytes of 32-bit numbers alone`(number: Int64) {
        #expect(Coercion.coerce(.number(number), to: .data) == nil)
        #expect(Coercion.coerce(.number(-2), to: .data) == .data([0xFE, 0xFF, 0xFF, 0xFF]))
    }

    @Test(arguments: [0, 1, 15, 16, 17])
    func `takes a uuid of no or 16 bytes`(count: Int) {
        let bytes = AttributeValue.data(Array(repeating: 9, count: count))
        let isRight = count == 0 || count == 16
        #expect(Coercion.coerce(bytes, to: .uuid) == (isRight ? bytes : nil))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `refuses a date that is no moment`(seconds: Double) {
        #expect(Coercion.coerce(.date(seconds), to: .date) == nil)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, 0.5])
    func `keeps a real that is no whole number`(number: Double) throws {
        let kept = try #require(Coercion.coerce(.real(number), to: .number))
        guard case .real(let found) = kept else {
            Issue.record("not a real any more")
            return
        }
        #expect(found.bitPattern == number.bitPattern)
    }

    @Test func `takes the bytes of pairs, and no others, for pairs`() throws {
        let bytes = AttributeValue.data(try LookupPairs(["a": "b"]).encoded)
        #expect(Coercion.coerce(bytes, to: .pairs) == bytes)
        #expect(Coercion.coerce(.data([1, 0, 0x61]), to: .pairs) == nil)
    }

    @Test(
        arguments: [
            (AttributeKind.string, AttributeValue.string("")), (.accessible, .string("")),
            (.blob, .string("")), (.data, .data([])), (.uuid, .data([])), (.number, .number(0)),
            (.date, .date(0)), (.accessControl, .null), (.pairs, .data([])),
        ]
    )
    func `fills an omitted value with the empty one of its kind`(
        kind: AttributeKind,
        expected: AttributeValue
    ) {
        #expect(Coercion.emptyValue(of: kind) == expected)
    }
}
