import KeychainModel

/// `error`.
enum ErrorLookup {
    /// Explains each code; one that cannot be read stops the command before anything is written.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var statuses: [SecurityStatus] = []
        for word in arguments.operands {
            guard let status = status(word) else {
                throw .usage(
                    "'\(word)' is no status: give a 32-bit number or a name such as errSecParam"
                )
            }
            statuses.append(status)
        }
        if arguments.has(.json) {
            return try context.print(JSONValue.list(statuses.map(json)).page)
        }
        for status in statuses { try context.print(line: line(status)) }
    }

    /// Reads a name, or a number: decimal or hexadecimal, signed or not.
    static func status(_ word: String) -> SecurityStatus? {
        let entry = SecurityStatus.table.first { $0.name.lowercased() == word.lowercased() }
        if let entry { return SecurityStatus(rawValue: entry.code) }
        let isNegative = word.hasPrefix("-")
        let digits = isNegative ? word.dropFirst() : word[...]
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let magnitude =
            isHexadecimal ? UInt32(digits.dropFirst(2), radix: 16) : UInt32(digits, radix: 10)
        guard let magnitude, !digits.hasPrefix("+") else { return nil }
        guard isNegative else { return SecurityStatus(rawValue: Int32(bitPattern: magnitude)) }
        return Int32(exactly: -Int64(magnitude)).map(SecurityStatus.init(rawValue:))
    }

    private static func hexadecimal(_ status: SecurityStatus) -> String {
        let digits = String(UInt32(bitPattern: status.rawValue), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Hexadecimal and decimal code as macOS writes them, then name and meaning.
    private static func line(_ status: SecurityStatus) -> String {
        let meaning = SecurityStatus.message(of: status) ?? "No status has this code."
        let name = SecurityStatus.name(of: status).map { "\($0): " } ?? ""
        return "Error: \(hexadecimal(status)) \(status.rawValue) \(name)\(meaning)"
    }

    private static func json(_ status: SecurityStatus) -> JSONValue {
        .object([
            "code": .number(Int64(status.rawValue)),
            "name": SecurityStatus.name(of: status).map(JSONValue.text) ?? .null,
            "message": SecurityStatus.message(of: status).map(JSONValue.text) ?? .null,
        ])
    }
}
