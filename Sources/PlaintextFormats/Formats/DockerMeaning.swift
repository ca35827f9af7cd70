import JSON
import Secrets

extension DockerConfigFile {
    /// Members that the command told the user to add, so that docker asks the keychain.
    private static let advised: Set<String> = ["credsStore", "credHelpers"]

    /// The file without them, in one order and without blanks, as docker writes it anew.
    static func meaning(_ view: ByteView) throws(PlaintextError) -> SharedSecret {
        let json = try JSONText(view)
        return SharedSecret(
            Secret(emitting: { emit in write(json.root, json, isOutermost: true, emit) })
        )
    }

    private static func write(
        _ node: JSONText.Node,
        _ json: JSONText,
        isOutermost: Bool = false,
        _ emit: (UInt8) -> Void
    ) {
        switch node.content {
        case .string, .word: json.bytes[node.range].forEach(emit)
        case .array(let elements):
            emit(UInt8(ascii: "["))
            for element in elements {
                write(element, json, emit)
                emit(UInt8(ascii: ","))
            }
            emit(UInt8(ascii: "]"))
        case .object(let members):
            emit(UInt8(ascii: "{"))
            for member in members.sorted(by: { $0.key < $1.key })
            where !isOutermost || !advised.contains(member.key) {
                member.key.utf8.forEach(emit)
                emit(UInt8(ascii: ":"))
                write(member.value, json, emit)
                emit(UInt8(ascii: ","))
            }
            emit(UInt8(ascii: "}"))
        }
    }
}

extension PlaintextFormat {
    /// What a file means without what the command told the user to add to it; nil for a format into
    /// which nothing is to be added.
    package func meaning(of content: SharedSecret) -> SharedSecret? {
        guard name == "docker" else { return nil }
        return try? content.secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try DockerConfigFile.meaning(try ByteView(bytes))
        }
    }
}
