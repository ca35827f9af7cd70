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
    package func show(_ count: Int) { show("\(count) items") }

    /// Shows how many bytes are done, of how many if that is known.
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

extension CommandContext {
    /// Does work of the keychain's that may take long, with a line that is gone afterwards.
    ///
    /// - Parameters:
    ///   - title: What the line calls the work.
    ///   - work: Gets the line, to show on it how far it is.
    /// - Returns: What the work gives.
    /// - Throws: `CommandFailure.keychain` with what the work throws.
    func showingProgress<Outcome>(
        of title: String,
        _ work: (ProgressLine) throws(KeychainError) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        let line = ProgressLine(title, on: self)
        defer { line.clear() }
        return try CommandFailure.wrapping(try work(line))
    }
}
