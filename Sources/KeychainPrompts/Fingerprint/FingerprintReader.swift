import Glibc
import KeychainModel
import ProgramStart
import Secrets
import Synchronization

// A separate program, `keychain-fingerprint`, communicates with the reader, so that D-Bus and its
// library stay out of every process that has a keychain. Its messages are trusted; see SECURITY.md.
//
// Its lines: `finger NAME`, one for each enrolled finger, then `end`; or, while verifying, `touch`,
// `retry WORD`, and at last `match NAME` or `no-match`. `absent`: there is no reader.

/// A fingerprint reader of this machine, as fprintd reports it.
package final class FingerprintReader: Sendable {
    /// The state of the reader.
    package enum State: Sendable, Equatable {
        /// There is none, or it does not respond.
        case absent
        /// The names of the fingers that are enrolled for the user; may be empty.
        case present([[UInt8]])
    }

    /// The name of the program, in the directory of the executable or of `PATH`.
    package static let programName = "keychain-fingerprint"

    /// The time limit for the list of enrolled fingers.
    private static let lookPatience = Duration.seconds(3)
    private static let lineByteCountLimit = 100
    private static let fingerLimit = 20

    private let path: String
    /// The user whose fingers are verified; nil for the account that this process runs as.
    private let user: String?
    private let terminal: String
    private let patience: Duration
    private let seen = Mutex(State.absent)

    /// Returns the reader, if `KEYCHAIN_FINGERPRINT` enables it: `1`, or the program's path.
    ///
    /// A protected program trusts only the one in the directory of its executable.
    ///
    /// - Throws: `errSecParam` if the program is missing.
    package static func reader(
        _ settings: PromptSettings,
        beside directory: String,
        of user: String? = nil,
        terminal: String = ControllingTerminal.path
    ) throws(KeychainError) -> FingerprintReader? {
        guard let word = settings["KEYCHAIN_FINGERPRINT"], word != "0" else { return nil }
        let beside = ProgramSearch.path(of: directory + "/" + programName, in: nil)
        let found: String? =
            if settings.isProtected {
                beside
            } else if word == "1" {
                beside ?? ProgramSearch.path(of: programName, in: settings["PATH"])
            } else {
                ProgramSearch.path(of: word, in: "")
            }
        guard let found else {
            let reason = "KEYCHAIN_FINGERPRINT is set, but there is no program \(programName)"
            throw KeychainError(.param, reason)
        }
        return FingerprintReader(path: found, user: user, terminal: terminal)
    }

    /// Creates a reader behind a program; `terminal` is where people are told to touch it.
    ///
    /// fprintd reads the fingers of another user only for a process that polkit permits.
    package init(
        path: String,
        user: String? = nil,
        terminal: String = ControllingTerminal.path,
        patience: Duration = .seconds(30)
    ) {
        self.path = path
        self.user = user
        self.terminal = terminal
        self.patience = patience
    }

    /// The last known state of the reader.
    package var state: State { seen.withLock { $0 } }

    /// Queries the reader for its fingers, for at most 3 seconds.
    package func look() {
        let found = fingers()
        seen.withLock { $0 = found }
    }

    private var named: [String] { user.map { [$0] } ?? [] }

    private func fingers() -> State {
        guard let child = ChildProgram(path, ["list"] + named) else { return .absent }
        let deadline = PromptDeadline(after: Self.lookPatience)
        var names: [[UInt8]] = []
        while names.count <= Self.fingerLimit,
            case .text(let line) = child.line(atMost: Self.lineByteCountLimit, until: deadline)
        {
            switch FingerprintLine(line) {
            case .finger(let name)?: names.append(name)
            case .end?: return .present(names)
            default: return .absent
            }
        }
        return .absent
    }
}

// The functions that verify.
extension FingerprintReader {
    /// Requests a finger, with text at the terminal; without a terminal there is no request.
    func answer(
        _ prompt: Prompt,
        for program: String,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard let text = PromptText(prompt, program: program),
            let screen = ControllingTerminal(terminal),
            let input = HiddenInput(screen.descriptor, interruptKeys: .endLine)
        else { return .nothing }
        let title = PromptText.button(prompt.fallbackTitle ?? "passcode")
        let choice = prompt.offersFallback ? "; Return: \(title)" : ""
        guard screen.write("\(text.description)\nTouch the reader (Ctrl-C: cancel\(choice)). ")
        else { return .nothing }
        defer { _ = screen.write("\n") }
        let keys = KeyPress()
        let descriptor = screen.descriptor
        let deadline = PromptDeadline(after: patience) {
            isWanted() && !keys.isPressed(at: descriptor)
        }
        let answer = verify(deadline) { _ = screen.write("Once more. ") }
        _ = input
        guard let key = keys.pressed else { return answer }
        return key == UInt8(ascii: "\n") && prompt.offersFallback ? .fallback : .canceled
    }

    /// Waits for a finger, without any text, because the caller has shown one.
    package func verify(while isWanted: @escaping @Sendable () -> Bool) -> PromptAnswer {
        verify(PromptDeadline(after: patience, while: isWanted)) {}
    }

    private func verify(_ deadline: PromptDeadline, onRetry: () -> Void) -> PromptAnswer {
        guard let child = ChildProgram(path, ["verify"] + named) else { return .nothing }
        while case .text(let line) = child.line(atMost: Self.lineByteCountLimit, until: deadline) {
            switch FingerprintLine(line) {
            case .touch?: continue
            case .retry?: onRetry()
            case .match(let name)?: return .presented(name)
            // The device counts an unknown finger like any other that it does not know.
            case .noMatch?: return .presented([])
            default: return .nothing
            }
        }
        return .nothing
    }
}

/// The first key that was pressed during another wait.
private final class KeyPress: Sendable {
    private let key = Mutex<UInt8?>(nil)

    var pressed: UInt8? { key.withLock { $0 } }

    func isPressed(at descriptor: Int32) -> Bool {
        key.withLock { key in
            if key != nil { return true }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 0) > 0 else { return false }
            var line = [UInt8](repeating: 0, count: 64)
            let count = read(descriptor, &line, line.count)
            key = count > 0 ? line[count - 1] : 0
            return true
        }
    }
}

/// One line of the program.
enum FingerprintLine: Sendable, Equatable {
    case finger([UInt8])
    case end
    case touch
    case retry
    case match([UInt8])
    case noMatch
    case absent

    /// Parses a line; nil for any other text, such as a name with other than small letters and
    /// hyphens.
    init?(_ line: SharedSecret) {
        let words = line.secret.copyBytesUnprotected()
            .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let word = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch (word, words.count) {
        case ("end", 1): self = .end
        case ("touch", 1): self = .touch
        case ("no-match", 1): self = .noMatch
        case ("absent", 1): self = .absent
        case ("retry", 2): self = .retry
        case ("finger", 2) where Self.isName(words[1]): self = .finger(Array(words[1]))
        case ("match", 2) where Self.isName(words[1]): self = .match(Array(words[1]))
        default: return nil
        }
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return !name.isEmpty && name.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
    }
}
