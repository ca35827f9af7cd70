import KeychainModel
import Secrets

/// Reads secrets from a person or a pipe straight into memory that is wiped.
struct SecretInput {
    /// The most that the command reads from a pipe, in bytes; an item may hold more.
    static let byteCountLimit = 4 << 20

    /// The most that a line may have, in bytes.
    static let lineByteCountLimit = 4095

    private static let chunkByteCount = 64 << 10
    private static let newline = UInt8(ascii: "\n")

    private let terminal: any Terminal
    /// Whether what follows one line of a pipe is for another command.
    private let isLineByLine: Bool

    init(_ terminal: any Terminal, isLineByLine: Bool = false) {
        self.terminal = terminal
        self.isLineByLine = isLineByLine
    }

    /// The secret of an item: all of a pipe without one final newline, or a line asked for twice.
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

    /// One line: the next one of a pipe, or one that a person types unseen.
    ///
    /// - Throws: `errSecDataTooLarge`, `errSecIO`; `errSecParam` at the end of input.
    func line(called name: String) throws(CommandFailure) -> SharedSecret {
        try reporting { () throws(KeychainError) in
            guard terminal.inputIsTerminal else { return SharedSecret(try nextLine(name)) }
            return SharedSecret(try typed(prompt: "\(name): ", name))
        }
    }

    /// One line that is to be remembered, so that a person types it twice.
    ///
    /// - Throws: As ``line(called:)``, and `errSecParam` if the two entries differ.
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

// From a person.
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

// From a pipe.
extension SecretInput {
    /// Byte by byte, so that nothing of the following line is taken.
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
