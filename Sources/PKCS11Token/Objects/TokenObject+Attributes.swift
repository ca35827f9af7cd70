import Cryptography
import Secrets

/// The result of reading an attribute of an object.
enum AttributeAnswer: Sendable {
    case bytes([UInt8])
    case secret(SharedSecret)
    /// The value never leaves the token.
    case sensitive
    /// Objects of this class have no such attribute.
    case unknown
    /// The value needs the public half, which is not known yet.
    case needsPublicKey
    /// The value is in the item, which has not been read yet.
    case needsValue
}

extension TokenObject {
    /// Returns the value of an attribute.
    ///
    /// - Source: PKCS #11 Base Specification 2.40 §4; Documentation/Spec/pkcs11.md §4.
    func answer(_ type: AttributeType) -> AttributeAnswer {
        guard let rule = AttributeRule.row(type, objectClass, keyType) else { return .unknown }
        switch rule.origin {
        case .kept(let otherwise): return .bytes(keptValue(type, rule) ?? otherwise)
        case .told(let otherwise): return .bytes(toldValue(type) ?? otherwise)
        case .use: return .bytes(Encoding.flag(TokenObject.Uses(type).map(uses.contains) ?? false))
        case .passedOver: return .unknown
        case .made, .same: break
        }
        switch type {
        case .objectClass: return .bytes(Encoding.number(objectClass.rawValue))
        case .token: return .bytes(Encoding.flag(isStored))
        case .isPrivate: return .bytes(Encoding.flag(true))
        case .trusted: return .bytes(Encoding.flag(false))
        case .wrapTemplate, .unwrapTemplate, .deriveTemplate: return .bytes([])
        case .keyType: return .bytes(Encoding.number((keyType ?? .genericSecret).rawValue))
        default: break
        }
        switch content {
        case .certificate(let certificate): return answer(type, of: certificate)
        case .publicKey(let key): return Self.numberAnswer(type, key.kind, key)
        case .privateKey(let key): return privateAnswer(type, of: key)
        case .data(let application, let value): return dataAnswer(type, application, value)
        case .secretKey(let key): return secretAnswer(type, of: key)
        }
    }

    private func keptValue(_ type: AttributeType, _ rule: AttributeRule) -> [UInt8]? {
        switch type {
        case .label: label
        case .identifier: identifier
        case .isPrivate: Encoding.flag(isPrivate)
        default: (isStored ? rule.inToken : nil) ?? kept[type]
        }
    }

    private func toldValue(_ type: AttributeType) -> [UInt8]? {
        // An earlier value does not count, because another program may have exported the key since.
        if type == .neverExtractable, isTrue(.extractable) { return nil }
        return kept[type]
    }

    private func answer(_ type: AttributeType, of certificate: Certificate) -> AttributeAnswer {
        switch type {
        case .certificateType: .bytes(Encoding.number(0))
        case .subject: .bytes(certificate.subject.der)
        case .issuer: .bytes(certificate.issuer.der)
        case .serialNumber: .bytes(certificate.serialNumberElement)
        case .value: .bytes(certificate.der)
        case .checkValue:
            .bytes(Array(((try? Digest.sha1(certificate.der)) ?? []).prefix(3)))
        case .startDate: .bytes(CalendarDate(secondsSince2001: certificate.notBefore).digits)
        case .endDate: .bytes(CalendarDate(secondsSince2001: certificate.notAfter).digits)
        case .publicKeyInfo: .bytes(certificate.publicKey?.subjectPublicKeyInfo ?? [])
        default: .unknown
        }
    }

    private func privateAnswer(
        _ type: AttributeType,
        of key: StoredPrivateKey
    ) -> AttributeAnswer {
        guard Self.isSecretNumber(type) else {
            return Self.numberAnswer(type, key.kind, key.publicKey)
        }
        guard showsSecrets, case .privateKey(let own)? = key.material?.material,
            let number = try? own.number(type)
        else { return .sensitive }
        return .secret(SharedSecret(number))
    }

    private static func isSecretNumber(_ type: AttributeType) -> Bool {
        switch type {
        case .value, .privateExponent, .prime1, .prime2, .exponent1, .exponent2, .coefficient: true
        default: false
        }
    }

    /// Returns a number of the public half, which both halves show.
    private static func numberAnswer(
        _ type: AttributeType,
        _ kind: KeyKind,
        _ key: PublicKey?
    ) -> AttributeAnswer {
        let isRSA = kind.family == .rsa
        switch type {
        case .modulusBits where isRSA: return .bytes(Encoding.number(UInt(kind.bitCount)))
        case .modulus where isRSA, .publicExponent where isRSA:
            guard let key else { return .needsPublicKey }
            guard let numbers = key.rsaNumbers else { return .unknown }
            return .bytes(type == .modulus ? numbers.modulus : numbers.exponent)
        case .curveParameters where !isRSA: return .bytes(kind.curveParameters ?? [])
        case .curvePoint where !isRSA:
            guard let key else { return .needsPublicKey }
            return .bytes(key.pointOctetString ?? [])
        case .publicKeyInfo:
            guard let key else { return .needsPublicKey }
            return .bytes(key.subjectPublicKeyInfo)
        default: return .unknown
        }
    }

    private func dataAnswer(
        _ type: AttributeType,
        _ application: [UInt8],
        _ value: SharedSecret?
    ) -> AttributeAnswer {
        switch type {
        case .application: .bytes(application)
        case .value: value.map { .secret($0) } ?? .needsValue
        default: .unknown
        }
    }

    private func secretAnswer(_ type: AttributeType, of key: SecretKey) -> AttributeAnswer {
        switch type {
        case .value: showsSecrets ? .secret(key.value) : .sensitive
        case .valueLength: .bytes(Encoding.number(UInt(key.value.secret.byteCount)))
        case .checkValue: .bytes(key.checkValue)
        default: .unknown
        }
    }
}

extension TokenObject.SecretKey {
    /// The check value: the first three bytes of encrypted zeros, or of the value's hash.
    ///
    /// - Source: PKCS #11 Base Specification 2.40 §4.10.2.
    fileprivate var checkValue: [UInt8] {
        guard keyType == .aes else {
            return Array(
                ((try? Digest.sha1(value.secret.copyBytesUnprotected())) ?? []).prefix(3)
            )
        }
        let cipher = try? RunningCipher(.codebook, encrypts: true, key: value.secret)
        let zeros = [UInt8](repeating: 0, count: RunningCipher.blockByteCount)
        let block = zeros.withUnsafeBytes { try? cipher?.process($0) }
        return block.map { Array($0.secret.copyBytesUnprotected().prefix(3)) } ?? []
    }
}

extension PrivateKey {
    /// Returns the secret number of an attribute.
    fileprivate func number(_ type: AttributeType) throws(CryptographyError) -> Secret {
        switch type {
        case .privateExponent: try rsaNumber(.privateExponent)
        case .prime1: try rsaNumber(.prime1)
        case .prime2: try rsaNumber(.prime2)
        case .exponent1: try rsaNumber(.exponent1)
        case .exponent2: try rsaNumber(.exponent2)
        case .coefficient: try rsaNumber(.coefficient)
        default: try rawRepresentation()
        }
    }
}

// Comparison for a search.
extension TokenObject {
    /// Whether the object has the value of every attribute in a template.
    ///
    /// A secret never matches. Neither does a value that would need a prompt or another request.
    func matches(_ template: Template) -> Bool {
        template.values.allSatisfy { type, value in
            guard case .bytes(let bytes) = value else { return false }
            return says(type, bytes)
        }
    }

    /// Whether an attribute has a value, in any form that programs use for it.
    ///
    /// Accepts a serial number and a curve point without their DER header, and numbers with leading
    /// zeros.
    func says(_ type: AttributeType, _ bytes: [UInt8]) -> Bool {
        guard case .bytes(let own) = answer(type) else { return false }
        if own == bytes { return true }
        switch (type, content) {
        case (.serialNumber, .certificate(let certificate)):
            return bytes == certificate.serialNumber
        case (.curvePoint, .publicKey(let key)): return bytes == key.externalRepresentation
        case (.curvePoint, .privateKey(let key)):
            return bytes == key.publicKey?.externalRepresentation
        case (.curveParameters, _): return KeyKind(curveParameters: bytes)?.curveParameters == own
        case (.modulus, _), (.publicExponent, _):
            return bytes.drop { $0 == 0 }.elementsEqual(own)
        default: return false
        }
    }
}

/// A calendar date in the form of `CK_DATE`.
struct CalendarDate {
    let digits: [UInt8]

    /// Converts a moment to its date in UTC.
    ///
    /// - Source: The civil calendar from day counts, by eras of 400 years.
    init(secondsSince2001 seconds: Int64) {
        let daySeconds: Int64 = 86_400
        // Day 0 is 0000-03-01; 2001-01-01 is day 730,791.
        let (whole, rest) = seconds.quotientAndRemainder(dividingBy: daySeconds)
        let day = whole - (rest < 0 ? 1 : 0) + 730_791
        guard (0...3_652_000).contains(day) else {
            digits = []
            return
        }
        let era = day / 146_097
        let dayOfEra = day % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * shifted + 2) / 5 + 1
        digits = Self.text(year, 4) + Self.text(month, 2) + Self.text(dayOfMonth, 2)
    }

    /// Whether the bytes are a calendar date.
    static func isDate(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 8, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        let numbers = bytes.map { Int($0) - 0x30 }
        let year = numbers[0..<4].reduce(0) { 10 * $0 + $1 }
        let month = 10 * numbers[4] + numbers[5]
        let day = 10 * numbers[6] + numbers[7]
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && day >= 1 && day <= lengths[month - 1]
    }

    private static func text(_ number: Int64, _ count: Int) -> [UInt8] {
        let digits = Array(String(number).utf8)
        return [UInt8](repeating: 0x30, count: max(0, count - digits.count)) + digits.suffix(count)
    }
}
