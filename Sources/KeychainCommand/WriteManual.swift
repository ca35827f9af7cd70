import Glibc
import KeychainModel
import Secrets

/// `manual`.
enum WriteManual {
    /// Writes all pages and completions below a directory, or one page of another program.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let directory = arguments.operands[0]
        let date = try date(arguments)
        let files: [(path: String, text: String)]
        if let name = arguments[.program] {
            let page = try page(of: name, date, context)
            files = [("man/" + page.path, page.text)]
        } else {
            files =
                ManualPage.all(date: date).map { ("man/" + $0.path, $0.text) }
                + Completion.all.map { ($0.path, $0.text) }
        }
        for file in files {
            let path = directory + "/" + file.path
            try CommandFailure.wrapping(write(file.text, to: path))
        }
        let count = files.count == 1 ? "1 file" : "\(files.count) files"
        try context.note("\(count) written below \(directory)")
    }

    /// Returns the page of a program whose help text is on standard input.
    private static func page(
        of word: String,
        _ date: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> ManualPage {
        let parts = word.split(separator: ".")
        guard parts.count == 2, let section = Int(parts[1]), (1...8).contains(section) else {
            throw .usage("invalid value for --program: give a name and a section, as keychaind.8")
        }
        let bytes = try CommandFailure.wrapping(InputFile.read(context.terminal))
        let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard let help = ProgramHelp(text) else {
            throw .input("standard input does not begin with a usage line, as --help writes it")
        }
        return help.page(String(parts[0]), section: section, date: date)
    }

    private static func date(_ arguments: Arguments) throws(CommandFailure) -> String {
        let date = arguments[.date] ?? ""
        let isDate = date.utf8.enumerated().allSatisfy { index, byte in
            [4, 7].contains(index) ? byte == 0x2D : (0x30...0x39).contains(byte)
        }
        guard date.isEmpty || isDate && date.utf8.count == 10 else {
            throw .usage("invalid value for --date: write it as 2026-11-23")
        }
        return date
    }

    /// Creates the directories above a file, then writes the file.
    private static func write(_ text: String, to path: String) throws(KeychainError) {
        for (index, byte) in path.utf8.enumerated() where byte == 0x2F && index > 0 {
            let directory = String(decoding: path.utf8.prefix(index), as: UTF8.self)
            guard mkdir(directory, 0o777) == 0 || errno == EEXIST || errno == EISDIR else {
                let reason = String(cString: strerror(errno))
                throw KeychainError(.io, "\(directory) cannot be created: \(reason)")
            }
        }
        try OutputFile(path: path, isSecret: false).write(Secret(copying: Array(text.utf8)))
    }
}
