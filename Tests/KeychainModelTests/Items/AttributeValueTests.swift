import KeychainModel
import Secrets
import Testing

@Suite struct `Comparing attribute values` {
    @Test(
        arguments: [
            (AttributeValue.string("\u{E9}"), AttributeValue.string("e\u{301}")),
            (.string("a"), .data([0x61])), (.number(1), .bool(true)), (.number(1), .real(1)),
            (.date(1), .real(1)), (.null, .data([])), (.string("1"), .number(1)),
            (.array([.number(1)]), .array([.number(1), .null])),
            (.unsupported(typeName: "a"), .unsupported(typeName: "b")),
        ]
    )
    func `tells types and bytes apart`(left: AttributeValue, right: AttributeValue) {
        #expect(left != right)
        #expect(left == left)
        #expect(Set([left, right, left]).count == 2)
    }

    @Test func `holds a secret equal to itself alone`() {
        let secret = SharedSecret(Secret(copying: [1]))
        let other = SharedSecret(Secret(copying: [1]))
        #expect(AttributeValue.secret(secret) == .secret(secret))
        #expect(AttributeValue.secret(secret) != .secret(other))
        #expect(Set([AttributeValue.secret(secret), .secret(secret)]).count == 1)
    }

    @Test func `describes a secret by its size`() {
        let secret = SharedSecret(Secret(copying: Array("open sesame".utf8)))
        #expect("\(AttributeValue.secret(secret))".contains("Secret(11 bytes)"))
        #expect(!"\(AttributeValue.secret(secret))".contains("sesame"))
    }
}

@Suite struct `The bytes by which values are compared` {
    @Test(arguments: [AttributeKind.string, .data, .blob])
    func `are the same for text and its UTF-8`(kind: AttributeKind) {
        let text = Coercion.canonicalBytes(of: .string("é"), kind: kind)
        #expect(text == [0xC3, 0xA9])
        #expect(Coercion.canonicalBytes(of: .data([0xC3, 0xA9]), kind: kind) == text)
    }

    @Test func `tell composed from decomposed letters`() {
        let composed = Coercion.canonicalBytes(of: .string("\u{E9}"), kind: .blob)
        #expect(Coercion.canonicalBytes(of: .string("e\u{301}"), kind: .blob) != composed)
    }

    @Test func `tell a number from the text of a number`() {
        let number = Coercion.canonicalBytes(of: .number(1), kind: .number)
        #expect(number != Coercion.canonicalBytes(of: .string("1"), kind: .number))
        #expect(number == [0xFF, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(number.count > Coercion.canonicalBytes(of: .number(1), kind: .blob).count)
    }

    @Test func `are the same for both zeros of a date`() {
        let zero = Coercion.canonicalBytes(of: .date(0), kind: .date)
        #expect(Coercion.canonicalBytes(of: .date(-0.0), kind: .date) == zero)
        #expect(Coercion.canonicalBytes(of: .date(1), kind: .date) != zero)
    }

    @Test func `are none for what is never compared`() {
        let values: [AttributeValue] = [.null, .array([.number(1)]), .unsupported(typeName: "x")]
        #expect(values.allSatisfy { Coercion.canonicalBytes(of: $0, kind: .blob).isEmpty })
    }
}
