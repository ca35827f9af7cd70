import SecretServiceProtocol
import Secrets
import SystemBus

// Conversion of a message to plain values. libsystemd has already checked the message's form.
extension BusMessage {
    /// The greatest number of dictionary entries that are read.
    private static let entryLimit = 4_096

    /// Returns all arguments.
    ///
    /// - Returns: The values; nil if the message is unreadable.
    func values() -> [BusValue]? {
        var values: [BusValue] = []
        while let (kind, contents) = nextType() {
            guard let value = value(kind, contents, mayNest: true) else { return nil }
            values.append(value)
        }
        return values
    }

    private func value(
        _ kind: Unicode.Scalar,
        _ contents: String,
        mayNest: Bool
    ) -> BusValue? {
        switch (kind, contents) {
        case ("s", _): text().map { .text($0) }
        case ("o", _): path().map { .path($0) }
        case ("b", _): flag().map { .flag($0) }
        case ("t", _): largeNumber().map { .time($0) }
        case ("v", _) where mayNest: inside("v", contents) { oneValue() }.map { .variant($0) }
        case ("a", "y"): secretBytes().map { .bytes($0) }
        case ("a", "s"): .texts(texts())
        case ("a", "o"): paths().map { .paths($0) }
        case ("a", "{ss}"): attributes().map { .attributes($0) }
        case ("a", "{sv}") where mayNest: properties().map { .properties($0) }
        case ("r", "oayays"): secret().map { .secret($0) }
        default: other(kind, contents)
        }
    }

    /// Returns the value in a variant; a variant within it is not read.
    private func oneValue() -> BusValue? {
        guard let (kind, contents) = nextType() else { return nil }
        return value(kind, contents, mayNest: false)
    }

    private func other(_ kind: Unicode.Scalar, _ contents: String) -> BusValue? {
        let type =
            switch kind {
            case "a": "a" + contents
            case "r": "(" + contents + ")"
            default: String(Character(kind))
            }
        return skip(type) ? .other(signature: type) : nil
    }

    private func secretBytes() -> SharedSecret? {
        bytes { SharedSecret(Secret(copying: $0)) }
    }

    private func attributes() -> [String: String]? {
        inside("a", "{ss}") {
            var entries: [String: String] = [:]
            while nextType() != nil {
                guard entries.count < Self.entryLimit,
                    let entry = inside(
                        "e",
                        "ss",
                        { text().flatMap { key in text().map { (key, $0) } } }
                    )
                else { return nil }
                entries[entry.0] = entry.1
            }
            return entries
        }
    }

    private func properties() -> [String: BusValue]? {
        inside("a", "{sv}") {
            var entries: [String: BusValue] = [:]
            while nextType() != nil {
                guard entries.count < Self.entryLimit, let entry = property() else { return nil }
                entries[entry.0] = entry.1
            }
            return entries
        }
    }

    private func property() -> (String, BusValue)? {
        inside("e", "sv") {
            guard let name = text(), let (kind, contents) = nextType(), kind == "v",
                let value = inside("v", contents, { oneValue() })
            else { return nil }
            return (name, value)
        }
    }

    private func secret() -> EncodedSecret? {
        inside("r", "oayays") {
            guard let session = path(), let parameters = secretBytes(), let value = secretBytes(),
                let type = text()
            else { return nil }
            return EncodedSecret(
                session: session,
                parameters: parameters,
                value: value,
                contentType: type
            )
        }
    }
}
