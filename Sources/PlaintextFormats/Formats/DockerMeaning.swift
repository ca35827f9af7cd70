import JSON
import Secrets

extension DockerConfigFile {
    /// Members that the command tells the user to add, so that docker uses the keychain.
    private static let advised: Set<String> = ["credsStore", "credHelpers"]

    /// Returns the file without those members, in a fixed order and without blanks.
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
    /// Returns the meaning of a file without the user's additions; nil for a format that needs
    /// none.
    package func meaning(of content: SharedSecret) -> SharedSecret? {
        guard name == "docker" else { return nil }
        return try? content.secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try DockerConfigFile.meaning(try ByteView(bytes))
        }
    }
}
