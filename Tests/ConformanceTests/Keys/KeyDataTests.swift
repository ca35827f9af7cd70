import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The bytes of a key` {
    @Test(.requirement("KEY-22", "KEY-08"), arguments: KeyHalf.all)
    func `make the key again`(half: KeyHalf) throws {
        let bytes = try half.bytes()
        let again = try #require(Keys.read(bytes, half.form).value)
        #expect(again == half.key && again.hashValue == half.key.hashValue)
        #expect(Keys.export(again).value == bytes)
        #expect(SecKeyCopyPublicKey(again) == half.pair.publicKey)
    }

    @Test(.requirement("KEY-22"), arguments: KeyHalf.all)
    func `have the kind's size and form`(half: KeyHalf) throws {
        let bytes = try half.bytes()
        let size = half.isPrivate ? half.pair.privateByteCount : half.pair.publicByteCount
        if let size { #expect(bytes.count == size) }
        switch half.pair.type {
        case 42: #expect(bytes.prefix(2) == Data([0x30, 0x82]))
        case 73:
            #expect(bytes.first == 4)
            let point = try KeyHalf(pair: half.pair, isPrivate: false).bytes()
            #expect(bytes.starts(with: point))
        default: break
        }
    }

    /// A type and a class may be text or number, as everywhere.
    @Test(.requirement("KEY-08"), arguments: KeyHalf.all)
    func `are read with numbers for type and class`(half: KeyHalf) throws {
        let form: Attributes = [
            kSecAttrKeyType: half.pair.type, kSecAttrKeyClass: half.isPrivate ? 1 : 0,
            kSecAttrKeySizeInBits: half.pair.bitCount,
        ]
        #expect(try Keys.read(half.bytes(), form).value == half.key)
    }

    @Test(.requirement("KEY-08"), arguments: KeyHalf.all, [String.type, .keyClass])
    func `need a type and a class`(half: KeyHalf, attribute: String) throws {
        let bytes = try half.bytes()
        #expect(Keys.read(bytes, [:]).isRefusal(errSecParam))
        var form = half.form
        form[attribute as CFString] = nil
        #expect(Keys.read(bytes, form).isRefusal(errSecParam))
    }

    /// ★ What is neither a type of keys nor a class of them.
    private static let meaningless: [(attribute: String, value: Sample)] =
        [String.type, .keyClass].flatMap { attribute in
            [Sample.text("7"), .number(-1), .text(""), .data([1]), .null, .list].map {
                (attribute: attribute, value: $0)
            }
        }

    @Test(.requirement("KEY-08"), arguments: KeyHalf.all, meaningless)
    func `need a type and a class that exist`(
        half: KeyHalf,
        wrong: (attribute: String, value: Sample)
    ) throws {
        let form = half.form.with(wrong.attribute, wrong.value)
        #expect(try Keys.read(half.bytes(), form).isRefusal(errSecParam))
    }

    @Test(
        .requirement("KEY-14"),
        arguments: [16, 24, 32],
        [kSecAttrKeyTypeAES as String, kSecAttrKeyTypeRSA as String]
    )
    func `make no key object when they are a symmetric key`(byteCount: Int, type: String) {
        let form: Attributes = [
            kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
        ]
        let made = Keys.read(Data(repeating: 7, count: byteCount), form)
        #expect(made.isRefusal(errSecUnimplemented))
    }

    @Test(.requirement("KEY-08"), arguments: KeyHalf.all, KeyHalf.all)
    func `are taken for no other key`(half: KeyHalf, claimed: KeyHalf) throws {
        let made = try Keys.read(half.bytes(), claimed.form)
        // The curves tell themselves apart by size; 32 bytes can be any key on Curve25519.
        let sameForm = half.pair.type == claimed.pair.type && half.isPrivate == claimed.isPrivate
        let both25519 = [half, claimed].allSatisfy { $0.pair.type > 100 }
        if sameForm {
            #expect(made.value == half.key)
        } else if !both25519 {
            #expect(made.isRefusal(errSecParam))
        }
    }

    @Test(.requirement("KEY-08"), arguments: KeyHalf.all)
    func `are refused with a byte too few or too many`(half: KeyHalf) throws {
        let bytes = try half.bytes()
        let step = half.pair == .rsa ? 13 : 1
        let accepted = stride(from: 0, to: bytes.count, by: step).filter { count in
            !Keys.read(bytes.prefix(count), half.form).isRefusal(errSecParam)
        }
        #expect(accepted == [])
        #expect(Keys.read(bytes.dropLast(), half.form).isRefusal(errSecParam))
        #expect(Keys.read(bytes + [0], half.form).isRefusal(errSecParam))
        #expect(Keys.read([0] + bytes, half.form).isRefusal(errSecParam))
    }

    /// What a generator with a printed seed makes of every length.
    @Test(.requirement("KEY-08"), arguments: KeyHalf.all, [1, 2, 3] as [UInt64])
    func `are refused when they are noise`(half: KeyHalf, seed: UInt64) {
        var noise = Noise(seed: seed)
        for count in 0...300 {
            var bytes = noise.bytes(count)
            if half.pair.type == 73, !bytes.isEmpty { bytes[0] = 4 }
            if half.pair.type == 42, count > 4 {
                bytes.replaceSubrange(
                    0..<4,
                    with: [0x30, 0x82, 0, UInt8(truncatingIfNeeded: count - 4)]
                )
            }
            let made = Keys.read(Data(bytes), half.form)
            if half.pair.type > 100, count == 32 { continue }
            #expect(made.isRefusal(errSecParam), "\(count) bytes")
        }
    }

    /// A change makes another key or none, and never harm.
    @Test(.requirement("KEY-08"), arguments: KeyHalf.all)
    func `are another key or none with a bit changed`(half: KeyHalf) throws {
        let bytes = try half.bytes()
        let positions = stride(from: 0, to: bytes.count, by: half.pair == .rsa ? 31 : 1)
        let wrong = positions.filter { position in
            let made = Keys.read(bytes.flipping(byte: position), half.form)
            let isSame = made.value == half.key && !half.isPrivate
            return isSame || made.value == nil && made.status != errSecParam
        }
        #expect(wrong == [])
    }

    @Test(.requirement("KEY-22"), arguments: KeyPair.curves)
    func `are refused when point and scalar do not belong together`(pair: KeyPair) throws {
        let bytes = try KeyHalf(pair: pair, isPrivate: true).bytes()
        let pointByteCount = try #require(pair.publicByteCount)
        let otherKey = try pair.another()
        let other = try #require(Keys.export(otherKey).value)
        let form = pair.form(isPrivate: true)
        let mixed = bytes.prefix(pointByteCount) + other.dropFirst(pointByteCount)
        #expect(Keys.read(Data(mixed), form).isRefusal(errSecParam))
    }

    /// ★ Scalars that are none: zero, the group order, one more, and all ones.
    @Test(
        .requirement("KEY-22"),
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ]
    )
    func `are refused with a scalar out of range`(hex: String) throws {
        let point = try KeyHalf(pair: .p256, isPrivate: false).bytes()
        let form = KeyPair.p256.form(isPrivate: true)
        #expect(Keys.read(point + Data(hex: hex), form).isRefusal(errSecParam))
    }

    /// ★ What is no uncompressed point on its curve: 4, and two coordinates of one size.
    private static let noPoints = [
        ByteChange.replaced(by: [0], "the point at infinity"),
        ByteChange("the origin") { [4] + Array(repeating: 0, count: $0.count - 1) },
        ByteChange("a compressed point") { [2] + $0[1...($0.count / 2)] },
        ByteChange("a hybrid form") { [6] + $0[1...] },
        ByteChange("out of the field") { [4] + Array(repeating: 0xFF, count: $0.count - 1) },
        ByteChange("x and y in turn") { [4] + $0[($0.count / 2 + 1)...] + $0[1...($0.count / 2)] },
        .lastByteDiffers,
    ]

    @Test(.requirement("KEY-22"), arguments: KeyPair.curves, noPoints)
    func `are refused off the curve and in other encodings`(
        pair: KeyPair,
        change: ByteChange
    ) throws {
        let point = try KeyHalf(pair: pair, isPrivate: false).bytes()
        #expect(point.count == 1 + 2 * pair.blockByteCount)
        let bytes = Data(change(point))
        #expect(Keys.read(bytes, pair.form(isPrivate: false)).isRefusal(errSecParam))
    }

    /// ★ Lengths that promise more than there is, in the DER of an RSA key.
    @Test(
        .requirement("KEY-22"),
        arguments: [
            "30", "3080", "3084ffffffff", "3088ffffffffffffffff", "308900", "30ff",
            "3003020100", "3006020100020100", "3006020101020101", "30060201ff020103",
            "300702020001020103", "3000", "0500", "3081 06 020105020103",
        ],
        [false, true]
    )
    func `are refused with lengths and numbers that are none`(hex: String, isPrivate: Bool) {
        let made = Keys.read(Data(hex: hex), KeyPair.rsa.form(isPrivate: isPrivate))
        #expect(made.isRefusal(errSecParam))
    }

    /// Public RSA keys have two forms, all other keys one.
    @Test(arguments: KeyPair.all)
    func `are SubjectPublicKeyInfo for RSA, and for no other kind`(pair: KeyPair) throws {
        let bytes = try #require(Keys.export(pair.publicKey).value)
        let info = try pair.publicKeyInfo(bytes)
        let made = Keys.read(info, pair.form(isPrivate: false))
        guard pair == .rsa else {
            #expect(made.isRefusal(errSecParam))
            return
        }
        #expect(made.value == pair.publicKey)
        #expect(try Keys.export(#require(made.value)).value == bytes)
        #expect(Keys.read(info + [0], pair.form(isPrivate: false)).isRefusal(errSecParam))
        #expect(Keys.read(info, pair.form(isPrivate: true)).isRefusal(errSecParam))
        let other = try KeyPair.p256.publicKeyInfo(
            #require(Keys.export(KeyPair.p256.publicKey).value)
        )
        #expect(Keys.read(other, pair.form(isPrivate: false)).isRefusal(errSecParam))
    }
}

/// Bytes that look random and are the same for the same seed (xorshift).
private struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }
}
