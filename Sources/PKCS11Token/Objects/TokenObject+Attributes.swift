// ★ Table: the attributes of each class of objects.

import Cryptography
import Secrets

/// What an object says of one of its attributes.
enum AttributeAnswer: Sendable {
    case bytes([UInt8])
    case secret(SharedSecret)
    /// The value never leaves the token.
    case sensitive
    /// Objects of this class have no such attribute.
    case unknown
    /// It takes the public half, which is not known yet.
    case needsPublicKey
    /// It takes the item's value, which is not read yet.
    case needsValue
}

extension TokenObject {
    /// The value of an attribute.
    ///
    /// - Source: PKCS #11 Base Specification 2.40 §4; Documentation/Spec/pkcs11.md §4.
    func answer(_ type: AttributeType) -> AttributeAnswer {
        switch type {
        case .objectClass: return .bytes(Encoding.number(objectClass.rawValue))
        case .token: return .bytes(Encoding.flag(isStored))
        case .isPrivate: return .bytes(Encoding.flag(isPrivate))
        case .label: return .bytes(label)
        case .modifiable, .destroyable: return .bytes(Encoding.flag(true))
        case .copyable: return .bytes(Encoding.flag(false))
        default: break
        }
        switch content {
        case .certificate(let certificate): return answer(type, of: certificate)
        case .publicKey(let key): return keyAnswer(type) ?? publicAnswer(type, of: key)
        case .privateKey(let key): return keyAnswer(type) ?? privateAnswer(type, of: key)
        case .data(let application, let value): return dataAnswer(type, application, value)
        case .secretKey(let key): return keyAnswer(type) ?? secretAnswer(type, of: key)
        }
    }

    private func answer(_ type: AttributeType, of certificate: Certificate) -> AttributeAnswer {
        switch type {
        case .certificateType, .certificateCategory: .bytes(Encoding.number(0))
        case .trusted: .bytes(Encoding.flag(false))
        case .identifier: .bytes(identifier)
        case .subject: .bytes(certificate.subject.der)
        case .issuer: .bytes(certificate.issuer.der)
        case .serialNumber: .bytes(certificate.serialNumberElement)
        case .value: .bytes(certificate.der)
        case .checkValue:
            .bytes(Array(((try? Digest.sha1(certificate.der)) ?? []).prefix(3)))
        case .startDate: .bytes(CalendarDate(secondsSince2001: certificate.notBefore).digits)
        case .endDate: .bytes(CalendarDate(secondsSince2001: certificate.notAfter).digits)
        case .url: .bytes([])
        case .publicKeyInfo: .bytes(certificate.publicKey?.subjectPublicKeyInfo ?? [])
        default: .unknown
        }
    }

    /// What all keys have in common; nil for attributes of some keys.
    private func keyAnswer(_ type: AttributeType) -> AttributeAnswer? {
        if let row = Uses.rows.first(where: { $0.type == type }) {
            return .bytes(Encoding.flag(uses.contains(row.use)))
        }
        return switch type {
        case .identifier: .bytes(identifier)
        case .startDate, .endDate: .bytes([])
        case .local: .bytes(Encoding.flag(false))
        // CK_UNAVAILABLE_INFORMATION: nobody wrote down how the key came to be.
        case .keyGenerationMechanism: .bytes(Encoding.number(.max))
        case .wrap, .unwrap, .signRecover, .verifyRecover: .bytes(Encoding.flag(false))
        default: nil
        }
    }

    private func publicAnswer(_ type: AttributeType, of key: PublicKey) -> AttributeAnswer {
        switch type {
        case .keyType: .bytes(Encoding.number(KeyTypeNumber(key.kind).rawValue))
        case .subject: .bytes([])
        case .trusted: .bytes(Encoding.flag(false))
        default: Self.numberAnswer(type, key.kind, key)
        }
    }

    private func privateAnswer(
        _ type: AttributeType,
        of key: StoredPrivateKey
    ) -> AttributeAnswer {
        switch type {
        case .keyType: return .bytes(Encoding.number(KeyTypeNumber(key.kind).rawValue))
        case .subject: return .bytes([])
        case .sensitive: return .bytes(Encoding.flag(true))
        case .extractable: return .bytes(Encoding.flag(key.isExtractable))
        case .neverExtractable: return .bytes(Encoding.flag(!key.isExtractable))
        case .alwaysSensitive, .alwaysAuthenticate, .wrapWithTrusted:
            return .bytes(Encoding.flag(false))
        case .privateExponent, .prime1, .prime2, .exponent1, .exponent2, .coefficient:
            return key.kind.family == .rsa ? .sensitive : .unknown
        case .value: return key.kind.family == .rsa ? .unknown : .sensitive
        default: return Self.numberAnswer(type, key.kind, key.publicKey)
        }
    }

    /// The numbers of the public half, which both halves show.
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
        case .objectID: .bytes([])
        case .value: value.map { .secret($0) } ?? .needsValue
        default: .unknown
        }
    }

    private func secretAnswer(_ type: AttributeType, of key: SecretKey) -> AttributeAnswer {
        switch type {
        case .keyType: .bytes(Encoding.number(key.keyType.rawValue))
        case .value: key.protection.showsValue ? .secret(key.value) : .sensitive
        case .valueLength: .bytes(Encoding.number(UInt(key.value.secret.byteCount)))
        case .sensitive: .bytes(Encoding.flag(key.protection.isSensitive))
        case .extractable: .bytes(Encoding.flag(key.protection.isExtractable))
        // Nothing here knows where the value was before.
        case .alwaysSensitive, .neverExtractable: .bytes(Encoding.flag(false))
        default: .unknown
        }
    }
}

// What a search compares.
extension TokenObject {
    /// Whether every attribute of a template has that value here.
    ///
    /// What takes a prompt or another request to know is no match, nor is a secret.
    func matches(_ template: Template) -> Bool {
        template.values.allSatisfy { type, value in
            guard case .bytes(let bytes) = answer(type) else { return false }
            return bytes == value.copyBytesUnprotected
        }
    }
}

/// A day of the calendar, as `CK_DATE` writes it.
struct CalendarDate {
    let digits: [UInt8]

    /// The day of a moment, in UTC.
    ///
    /// - Source: the civil calendar from day counts, by eras of 400 years.
    init(secondsSince2001 seconds: Int64) {
        let daySeconds: Int64 = 86_400
        // Days since 0000-03-01; 2001-01-01 is day 730,791.
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

    private static func text(_ number: Int64, _ count: Int) -> [UInt8] {
        let digits = Array(String(number).utf8)
        return [UInt8](repeating: 0x30, count: max(0, count - digits.count)) + digits.suffix(count)
    }
}
