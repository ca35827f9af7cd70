import Secrets

@testable import PKCS11Token

extension FuzzTarget {
    /// A template of a PKCS #11 program: rows of a type, a size (two bytes each) and a value.
    ///
    /// What it describes has the label and the class that the template says, answers every
    /// attribute, and shows no secret number of a private key.
    static let pkcs11Template = FuzzTarget(name: "pkcs11-template") { bytes throws(BrokenLaw) in
        let template: Template
        let draft: TokenObject.Draft
        do throws(ReturnCode) {
            template = try read(bytes)
            _ = try? template.flag(.token)
            draft = try TokenObject.draft(template)
            _ = try? draft.item(
                label: template.bytes(.label) ?? [],
                identifier: template.bytes(.identifier) ?? []
            )
        } catch {
            return .refused
        }
        let object = TokenObject(
            slot: 0,
            place: .session(1),
            label: template.bytes(.label) ?? [],
            identifier: template.bytes(.identifier) ?? [],
            content: draft.content,
            uses: draft.uses
        )
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
            guard object.objectClass == .privateKey, AttributeType.secrets.contains(type) else {
                continue
            }
            switch answer {
            case .bytes, .secret: throw BrokenLaw(law: "a private key shows no secret number")
            case .sensitive, .unknown, .needsPublicKey, .needsValue: continue
            }
        }
        var own = Template()
        do throws(ReturnCode) {
            for type in [AttributeType.objectClass, .label] {
                guard let value = template.values[type] else { continue }
                try own.add(type, value)
            }
        } catch {
            throw BrokenLaw(law: "types that were read once can be added once")
        }
        try require(object.matches(own), "an object has the class and the label of its template")
    }
}
