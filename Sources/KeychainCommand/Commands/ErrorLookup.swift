import KeychainModel

/// `error`.
enum ErrorLookup {
    /// Explains each code.
    ///
    /// If one is unreadable, the command fails before it writes anything.
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

    /// ★ Table: the errors of Foundation that protected files throw.
    private static let cocoaErrors = [
        CocoaError(
            code: 257,
            names: ["CocoaError.fileReadNoPermission", "NSFileReadNoPermissionError"],
            meaning: "The file cannot be read: no right, or its protection class is locked."
        ),
        CocoaError(
            code: 513,
            names: ["CocoaError.fileWriteNoPermission", "NSFileWriteNoPermissionError"],
            meaning: "The file cannot be written: no right, or its protection class is locked."
        ),
    ]

    private struct CocoaError {
        let code: Int32
        let names: [String]
        let meaning: String
    }

    /// Returns the error of Foundation that has the status's number.
    ///
    /// No status shares one.
    private static func cocoaError(_ status: SecurityStatus) -> CocoaError? {
        cocoaErrors.first { $0.code == status.rawValue }
    }

    private static func name(_ status: SecurityStatus) -> String? {
        SecurityStatus.name(of: status) ?? cocoaError(status)?.names.first
    }

    private static func meaning(_ status: SecurityStatus) -> String? {
        SecurityStatus.message(of: status) ?? cocoaError(status)?.meaning
    }

    /// Reads a name, or a number: decimal or hexadecimal, signed or not.
    static func status(_ word: String) -> SecurityStatus? {
        let wanted = word.lowercased()
        if let error = cocoaErrors.first(where: { error in
            error.names.contains { [wanted, "cocoaerror." + wanted].contains($0.lowercased()) }
        }) {
            return SecurityStatus(rawValue: error.code)
        }
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

    /// Returns the code in hexadecimal and decimal, as macOS writes it, with its name and meaning.
    private static func line(_ status: SecurityStatus) -> String {
        let words = meaning(status) ?? "No status has this code."
        let prefix = name(status).map { "\($0): " } ?? ""
        return "Error: \(hexadecimal(status)) \(status.rawValue) \(prefix)\(words)"
    }

    private static func json(_ status: SecurityStatus) -> JSONValue {
        .object([
            "code": .number(Int64(status.rawValue)),
            "name": name(status).map(JSONValue.text) ?? .null,
            "message": meaning(status).map(JSONValue.text) ?? .null,
        ])
    }
}
