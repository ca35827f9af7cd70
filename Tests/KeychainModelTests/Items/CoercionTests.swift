import KeychainModel
import Secrets
import TestSupport
import Testing

/// One kind of attribute, and what each sample becomes in it.
struct CoercionRow: Sendable, CustomTestStringConvertible {
    let kind: AttributeKind
    /// In the order of the samples; nil is refused.
    let expected: [AttributeValue?]

    var testDescription: String { "\(kind)" }

    init(_ kind: AttributeKind, _ expected: AttributeValue?...) {
        self.kind = kind
        self.expected = expected
    }

    static let control = AccessControl(protection: .whenUnlocked, flags: .userPresence)

    /// One of each type, in the order of the columns below.
    static let samples: [AttributeValue] = [
        .string("x"), .data([0x78]), .number(7), .real(7), .real(1.5), .bool(true), .date(1),
        .accessControl(control), .array([.number(7)]), .null, .secret(secret),
        .unsupported(typeName: "NSURL"),
    ]
    private static let secret = SharedSecret(Secret(copying: [1, 2, 3]))

    // swift-format-ignore
    /// kind, string, data, number, whole real, real, boolean, date, access control; arrays, null,
    /// secrets and other types only where a row goes on.
    static let table: [CoercionRow] = [
        .init(.string, .string("x"), .string("x"), nil, nil, nil, nil, nil, nil),
        .init(.accessible, .string("x"), .string("x"), nil, nil, nil, nil, nil, nil),
        .init(.data, .data([0x78]), .data([0x78]), .data([7, 0, 0, 0]), nil, nil, nil, nil, nil),
        .init(.blob, .string("x"), .data([0x78]), .number(7), .number(7), .real(1.5), nil, nil,
              nil),
        .init(.number, .string("x"), nil, .number(7), .number(7), .real(1.5), .number(1), nil,
              nil),
        .init(.date, nil, nil, nil, nil, nil, nil, .date(1), nil),
        .init(.uuid, nil, nil, nil, nil, nil, nil, nil, nil, nil, .data([])),
        .init(.accessControl, nil, nil, nil, nil, nil, nil, nil, .accessControl(control)),
    ]
}

@Suite struct `Coercing a value` {
    @Test(arguments: CoercionRow.table)
    func `takes the types of its kind and refuses all others`(row: CoercionRow) {
        let found = CoercionRow.samples.map { Coercion.coerce($0, to: row.kind) }
        let refused = CoercionRow.samples.count - row.expected.count
        #expect(found == row.expected + Array(repeating: nil, count: refused))
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

    @Test(
        arguments: [
            (AttributeKind.string, AttributeValue.string("")), (.accessible, .string("")),
            (.blob, .string("")), (.data, .data([])), (.uuid, .data([])), (.number, .number(0)),
            (.date, .date(0)), (.accessControl, .null),
        ]
    )
    func `fills an omitted value with the empty one of its kind`(
        kind: AttributeKind,
        expected: AttributeValue
    ) {
        #expect(Coercion.emptyValue(of: kind) == expected)
    }
}
