import Foundation

/// One operation of a migration step, such as ``ValueMoves`` or ``ItemTransfer``.
///
/// ```swift
/// let operations: [any MigrationOperation] = [
///     ValueMoves(moves),
///     ItemTransfer.renaming(service: "api", to: "com.example.api"),
/// ]
/// ```
public protocol MigrationOperation: Sendable {
    /// Runs the operation, or reports what it would do; a second run does only what remains.
    func run(in context: MigrationContext) -> MigrationReport
}

/// The surroundings of an operation: mover, date, execution and dry run.
///
/// ```swift
/// let context = MigrationContext(mover: mover, isDryRun: true)
/// let report = ValueMoves(moves).run(in: context)
/// ```
public struct MigrationContext: Sendable {
    /// Whether the program runs in front of the user.
    ///
    /// ```swift
    /// let context = MigrationContext(mover: mover, execution: .background)
    /// ```
    public enum Execution: String, Codable, Hashable, Sendable, CaseIterable {
        /// The user sees the program and can answer a prompt.
        case foreground
        /// Nobody sees the program, and the device may be locked.
        case background
    }

    /// The mover, with its keychain and journal.
    public let mover: Mover
    /// The current date.
    public let now: Date
    /// Whether the program runs in front of the user.
    public let execution: Execution
    /// Whether the operation must change nothing.
    public let isDryRun: Bool

    /// Creates the surroundings of an operation.
    public init(
        mover: Mover,
        now: Date = Date(),
        execution: Execution = .foreground,
        isDryRun: Bool = false
    ) {
        self.mover = mover
        self.now = now
        self.execution = execution
        self.isDryRun = isDryRun
    }

    /// The keychain that receives the items.
    public var keychain: any Keychain { mover.keychain }
}

/// An operation that moves values from old stores into the keychain.
///
/// ```swift
/// let operation = ValueMoves([Move("session.token", from: defaults, to: token)])
/// ```
public struct ValueMoves: MigrationOperation {
    /// The values to move.
    public let moves: [Move]

    /// Creates an operation that moves these values.
    public init(_ moves: [Move]) { self.moves = moves }

    /// Moves each value separately.
    public func run(in context: MigrationContext) -> MigrationReport {
        context.mover.run(moves, now: context.now, isDryRun: context.isDryRun)
    }
}

/// An operation that runs your own code.
///
/// ```swift
/// let operation = CustomOperation { context in
///     MigrationReport(isDryRun: context.isDryRun)
/// }
/// ```
public struct CustomOperation: MigrationOperation {
    private let body: @Sendable (MigrationContext) -> MigrationReport

    /// Creates an operation from code, which must respect the context's dry run and report each
    /// value.
    public init(_ body: @escaping @Sendable (MigrationContext) -> MigrationReport) {
        self.body = body
    }

    /// Runs the code.
    public func run(in context: MigrationContext) -> MigrationReport { body(context) }
}
