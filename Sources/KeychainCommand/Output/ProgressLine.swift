import KeychainModel

/// A line on a terminal that counts while work takes long, and is gone when it is done.
package final class ProgressLine {
    /// Work that is done sooner shows nothing.
    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(200)
    private static let clearing = "\r\u{1B}[K"

    private let title: String
    private let context: CommandContext
    private var next = ContinuousClock.now + ProgressLine.patience
    private var isShown = false

    package init(_ title: String, on context: CommandContext) {
        self.title = title
        self.context = context
    }

    /// Shows how many items are done, now and then; a terminal that is gone is no reason to stop.
    package func show(_ count: Int) {
        guard context.terminal.diagnosticsIsTerminal, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.interval
        isShown = true
        write("\(Self.clearing)\(title): \(count) items")
    }

    /// Takes the line away.
    package func clear() {
        guard isShown else { return }
        isShown = false
        write(Self.clearing)
    }

    private func write(_ text: String) {
        try? context.terminal.write(Array(text.utf8), to: .diagnostics)
    }
}
