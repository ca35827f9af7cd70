import Secrets

@testable import PKCS11Token

extension FuzzTarget {
    /// A template of a PKCS #11 program: rows of a type, a size (two bytes each) and a value.
    ///
    /// What it describes answers every attribute, has all that an accepted template says, also
    /// after it was kept, and shows no secret number of a private key that does not allow it.
    static let pkcs11Template = FuzzTarget(name: "pkcs11-template") { bytes throws(BrokenLaw) in
        let template: Template
        let object: TokenObject
        var isAccepted = true
        do throws(ReturnCode) {
            template = try read(bytes)
            let isToken = try template.flag(.token) ?? false
            var draft = try TokenObject.draft(template)
            try draft.take(template)
            _ = try? draft.item()
            object = draft.object(in: 0, .session(1))
            do throws(ReturnCode) {
                try object.check(template, isToken: isToken, madeOf: TokenObject.essence)
            } catch {
                isAccepted = false
            }
        } catch {
            return .refused
        }
        if isAccepted { try checkKept(object, template) }
        try checkAnswers(object, template)
        return .accepted
    }

    private static func read(_ bytes: [UInt8]) throws(ReturnCode) -> Template {
        var reader = InputReader(bytes)
        var template = Template()
        while !reader.isAtEnd, template.values.count < Template.countLimit {
            let type = AttributeType(
                rawValue: UInt(reader.byte()) | UInt(reader.byte()) << 8
            )
            let count = Int(reader.byte()) | Int(reader.byte()) << 8
            let value = reader.bytes(atMost: count)
            try template.add(
                type,
                AttributeType.secrets.contains(type)
                    ? .secret(SharedSecret(Secret(copying: value))) : .bytes(value)
            )
        }
        return template
    }

    private static func checkAnswers(
        _ object: TokenObject,
        _ template: Template
    ) throws(BrokenLaw) {
        for number in UInt(0)...0x220 {
            let type = AttributeType(rawValue: number)
            let answer = object.answer(type)
            guard object.objectClass == .privateKey, AttributeType.secrets.contains(type),
                !object.showsSecrets
            else { continue }
            switch answer {
            case .bytes, .secret: throw BrokenLaw(law: "a private key shows no secret number")
            case .sensitive, .unknown, .needsPublicKey, .needsValue: continue
            }
        }
    }

    /// An accepted template loses nothing that is to be kept.
    private static func checkKept(
        _ object: TokenObject,
        _ template: Template
    ) throws(BrokenLaw) {
        for (type, value) in template.values {
            guard case .bytes(let bytes) = value,
                let rule = AttributeRule.row(type, object.objectClass, object.keyType)
            else { continue }
            switch rule.origin {
            case .kept, .use:
                try require(object.says(type, bytes), "a kept attribute reads as it was written")
            case .made, .same, .told, .passedOver: continue
            }
        }
        guard let encoded = try? object.kept.encoded() else { return }
        try require(
            KeptAttributes(encoded: encoded) == object.kept,
            "kept attributes are read as they were written"
        )
    }
}
