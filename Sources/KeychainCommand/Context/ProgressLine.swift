import KeychainModel

/// A line on a terminal that shows the progress of long work, and disappears at its end.
package final class ProgressLine {
    /// The time before the line appears; shorter work shows nothing.
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

    /// Shows now and then how many items are done; continues if the terminal is gone.
    package func show(_ count: Int) { show("\(count) items") }

    /// Shows how many bytes are done, and the total if it is known.
    func show(bytes: Int, of all: Int?) {
        let all = all.map { " of \($0 >> 20)" } ?? ""
        show("\(bytes >> 20)\(all) MiB")
    }

    private func show(_ text: String) {
        guard context.terminal.diagnosticsIsTerminal, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.interval
        isShown = true
        write("\(Self.clearing)\(title): \(text)")
    }

    /// Removes the line.
    package func clear() {
        guard isShown else { return }
        isShown = false
        write(Self.clearing)
    }

    private func write(_ text: String) {
        try? context.terminal.write(Array(text.utf8), to: .diagnostics)
    }
}

extension CommandContext {
    /// Runs work of the keychain that may take long, and shows its progress.
    ///
    /// - Parameters:
    ///   - title: The name of the work on the line.
    ///   - work: The work; it gets the line and reports its progress there.
    /// - Returns: The result of the work.
    /// - Throws: `CommandFailure.keychain` with the error of the work.
    func showingProgress<Outcome>(
        of title: String,
        _ work: (ProgressLine) throws(KeychainError) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        let line = ProgressLine(title, on: self)
        defer { line.clear() }
        return try CommandFailure.wrapping(try work(line))
    }
}
