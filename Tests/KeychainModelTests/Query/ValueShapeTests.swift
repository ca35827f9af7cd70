import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

/// A shape, and which samples it admits.
struct ShapeRow: Sendable, CustomTestStringConvertible {
    let shape: QueryKey.Shape
    let admitted: Set<String>

    var testDescription: String { "\(shape)" }

    init(_ shape: QueryKey.Shape, _ admitted: String) {
        self.shape = shape
        self.admitted = Set(admitted.split(separator: " ").map(String.init))
    }

    static let samples: [String: AttributeValue] = [
        "boolean": .bool(false), "number": .number(1), "whole": .real(2), "real": .real(1.5),
        "text": .string("x"), "digits": .string("1"), "one": .string(.limitOne),
        "all": .string(.limitAll), "data": .data([1]), "secret": .secret(secret),
        "date": .date(0), "array": .array([]), "null": .null,
        "control": .accessControl(AccessControl(protection: .always)),
        "other": .unsupported(typeName: "NSURL"),
    ]
    private static let secret = SharedSecret(Secret(copying: []))

    static let table: [ShapeRow] = [
        .init(.bool, "boolean"),
        .init(.text, "text digits one all"),
        .init(.classLetters, "text digits one all"),
        .init(.bytes, "data secret"),
        .init(.flag, "boolean number whole digits"),
        .init(.limit, "number whole one all"),
        .init(.validityDate, "date null"),
        .init(
            .anything,
            "boolean number whole real text digits one all data secret date array control other"
        ),
    ]
}

@Suite struct `The shape of a key's value` {
    @Test(arguments: ShapeRow.table)
    func `admits what it is made for and nothing else`(row: ShapeRow) {
        let found = ShapeRow.samples.filter { ValueShape.admits($0.value, as: row.shape) }
        #expect(Set(found.keys) == row.admitted)
    }

    @Test(
        arguments: [
            (AttributeValue.string(.limitOne), .one), (.string(.limitAll), .all),
            (.number(1), .one), (.number(2), .atMost(2)), (.number(0), .atMost(0)),
            (.number(-1), .all), (.number(.max), .atMost(.max)), (.real(3), .atMost(3)),
            (.real(1), .one), (.real(0.5), nil), (.real(.nan), nil), (.real(1e300), nil),
            (.string("2"), nil), (.string(""), nil), (.bool(true), nil), (.null, nil),
        ] as [(AttributeValue, MatchLimit?)]
    )
    func `is a limit as a word or a whole number`(value: AttributeValue, expected: MatchLimit?) {
        #expect(ValueShape.limit(value) == expected)
    }

    @Test(
        arguments: [
            (AttributeValue.bool(true), true), (.bool(false), false), (.number(2), true),
            (.number(0), false), (.string("1"), true), (.string("0"), false),
            (.string("yes"), nil), (.data([1]), nil), (.real(0.5), nil),
        ] as [(AttributeValue, Bool?)]
    )
    func `is a flag as a boolean, a number or a number's text`(
        value: AttributeValue,
        expected: Bool?
    ) {
        #expect(ValueShape.flag(value) == expected)
    }
}
