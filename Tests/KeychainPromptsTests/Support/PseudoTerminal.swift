import Foundation
import Glibc
import KeychainModel
import Synchronization

/// A terminal of one test, with somebody who types.
final class PseudoTerminal {
    struct Refusal: Error {}

    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    let path: String
    private let master: Int32
    private let keeper: Int32

    init() throws {
        // The C library's names for this need a feature macro that Swift does not set.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: Int32 = -1
        guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0,
            ioctl(master, Self.getNumber, &number) == 0
        else { throw Refusal() }
        path = "/dev/pts/\(number)"
        keeper = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        close(keeper)
        close(master)
    }

    /// Whether what is typed is shown, and keys send signals.
    var isAsUsual: Bool {
        var settings = termios()
        guard tcgetattr(keeper, &settings) == 0 else { return false }
        let usual = tcflag_t(ECHO | ISIG | ICANON)
        return settings.c_lflag & usual == usual
    }

    /// Asks in a thread of its own; types each text once the screen shows what it waits for.
    ///
    /// - Returns: The answer, and all that the screen showed.
    func session(
        _ typing: [(after: String, text: String)],
        _ ask: @escaping @Sendable () -> PromptAnswer
    ) -> (answer: Answered, screen: String) {
        let end = DispatchSemaphore(value: 0)
        let box = AnswerBox()
        let thread = Thread {
            box.put(Answered(ask()))
            end.signal()
        }
        thread.start()
        var screen = ""
        for (awaited, text) in typing {
            while !screen.hasSuffix(awaited), let more = read() { screen += more }
            write(text)
        }
        end.wait()
        while hasOutput, let more = read() { screen += more }
        return (box.answer, screen)
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(master, bytes, bytes.count)
    }

    private func read() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(master, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private var hasOutput: Bool {
        var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }
}

private final class AnswerBox: Sendable {
    private let value = Mutex<Answered>(.impossible)

    var answer: Answered { value.withLock { $0 } }

    func put(_ answer: Answered) { value.withLock { $0 = answer } }
}
