import KeychainModel
import Secrets

/// A reader of secrets from a terminal or a pipe, straight into memory that is wiped.
struct SecretInput {
    /// The greatest input from a pipe, in bytes; an item may hold more.
    static let byteCountLimit = 4 << 20

    /// The greatest length of a line, in bytes.
    static let lineByteCountLimit = 4095

    private static let chunkByteCount = 64 << 10
    private static let newline = UInt8(ascii: "\n")

    private let terminal: any Terminal
    /// Whether the lines of a pipe after the first belong to other commands.
    private let isLineByLine: Bool

    init(_ terminal: any Terminal, isLineByLine: Bool = false) {
        self.terminal = terminal
        self.isLineByLine = isLineByLine
    }

    /// Reads the secret of an item: a whole pipe without one final newline, or a line typed twice.
    ///
    /// - Throws: `errSecDataTooLarge`, `errSecIO`; `errSecParam` if the two entries differ.
    func newSecret(called name: String) throws(CommandFailure) -> SharedSecret {
        try reporting { () throws(KeychainError) in
            guard terminal.inputIsTerminal else {
                return SharedSecret(try isLineByLine ? nextLine(name) : everything())
            }
            return SharedSecret(try typedTwice(name))
        }
    }

    /// Reads one line from a pipe, or from the terminal without showing it.
    ///
    /// - Throws: `errSecDataTooLarge`, `errSecIO`; `errSecParam` at the end of input.
    func line(called name: String) throws(CommandFailure) -> SharedSecret {
        try reporting { () throws(KeychainError) in
            guard terminal.inputIsTerminal else { return SharedSecret(try nextLine(name)) }
            return SharedSecret(try typed(prompt: "\(name): ", name))
        }
    }

    /// Reads one new secret, which the user types twice at a terminal.
    ///
    /// - Throws: The errors of ``line(called:)``, and `errSecParam` if the two entries differ.
    func newLine(called name: String) throws(CommandFailure) -> SharedSecret {
        try reporting { () throws(KeychainError) in
            guard terminal.inputIsTerminal else { return SharedSecret(try nextLine(name)) }
            return SharedSecret(try typedTwice(name))
        }
    }

    private func reporting(
        _ body: () throws(KeychainError) -> SharedSecret
    ) throws(CommandFailure) -> SharedSecret {
        do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
    }
}

// Input from a terminal.
extension SecretInput {
    private func typedTwice(_ name: String) throws(KeychainError) -> Secret {
        let first = try typed(prompt: "\(name): ", name)
        let second = try typed(prompt: "\(name), again: ", name)
        guard first.constantTimeEquals(second) else {
            throw KeychainError(.param, "the two entries differ; nothing was changed")
        }
        return first
    }

    private func typed(prompt: String, _ name: String) throws(KeychainError) -> Secret {
        var count = 0
        let buffer = try Secret(byteCount: Self.lineByteCountLimit + 1) {
            target throws(KeychainError) in
            count = try terminal.readHiddenLine(prompt: prompt, into: target)
        }
        guard count > 0 else { throw Self.ended(name) }
        return buffer.prefix(count).withoutFinalNewline()
    }
}

// Input from a pipe.
extension SecretInput {
    /// Reads a line byte by byte, so that the next line stays in the pipe.
    private func nextLine(_ name: String) throws(KeychainError) -> Secret {
        var count = 0
        var hasEnded = false
        let buffer = try Secret(byteCount: Self.lineByteCountLimit + 1) {
            target throws(KeychainError) in
            while count < target.count {
                let next = UnsafeMutableRawBufferPointer(rebasing: target[count...count])
                hasEnded = try terminal.read(into: next) == 0
                if hasEnded || next[0] == Self.newline { return }
                count += 1
            }
            throw KeychainError(
                .dataTooLarge,
                "the \(name.lowercased()) has more than \(Self.lineByteCountLimit) bytes"
            )
        }
        guard count > 0 || !hasEnded else { throw Self.ended(name) }
        return buffer.prefix(count)
    }

    private func everything() throws(KeychainError) -> Secret {
        var all = Secret(byteCount: 0) { _ in }
        while true {
            var count = 0
            let chunk = try Secret(byteCount: Self.chunkByteCount) {
                target throws(KeychainError) in
                count = try terminal.read(into: target)
            }
            guard count > 0 else { return all.withoutFinalNewline() }
            guard all.byteCount + count <= Self.byteCountLimit else {
                throw KeychainError(
                    .dataTooLarge,
                    "the input is too long: the command reads at most \(Self.byteCountLimit) bytes"
                )
            }
            all = Secret(concatenating: all, chunk.prefix(count))
        }
    }

    private static func ended(_ name: String) -> KeychainError {
        KeychainError(
            .param,
            "the \(name.lowercased()) is missing on standard input: write it on a line of its own"
        )
    }
}

extension Secret {
    fileprivate borrowing func prefix(_ count: Int) -> Secret {
        withUnsafeBytes { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        }
    }

    fileprivate borrowing func withoutFinalNewline() -> Secret {
        let endsInNewline = withUnsafeBytes { bytes in bytes.last == UInt8(ascii: "\n") }
        return prefix(endsInNewline ? byteCount - 1 : byteCount)
    }
}
