import Foundation

/// One thing that a step of a migration does.
public protocol MigrationOperation: Sendable {
    /// Does it, or says what it would do; run again, it does what is left.
    func run(in context: MigrationContext) -> MigrationReport
}

/// Where and when an operation runs.
public struct MigrationContext: Sendable {
    /// Whether somebody is looking.
    public enum Execution: String, Codable, Hashable, Sendable, CaseIterable {
        case foreground, background
    }

    /// What moves values, with keychain and journal.
    public let mover: Mover
    /// The present.
    public let now: Date
    /// Whether somebody is looking.
    public let execution: Execution
    /// Whether nothing may be changed.
    public let isDryRun: Bool

    /// The surroundings of an operation.
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

    /// The keychain that everything goes to.
    public var keychain: any Keychain { mover.keychain }
}

/// Moves values from old stores.
public struct ValueMoves: MigrationOperation {
    /// The values.
    public let moves: [Move]

    /// Moves these values.
    public init(_ moves: [Move]) { self.moves = moves }

    /// Moves each value on its own.
    public func run(in context: MigrationContext) -> MigrationReport {
        context.mover.run(moves, now: context.now, isDryRun: context.isDryRun)
    }
}

/// Anything else that a step has to do.
public struct CustomOperation: MigrationOperation {
    private let body: @Sendable (MigrationContext) -> MigrationReport

    /// Runs code, which keeps to the context's dry run and reports each value.
    public init(_ body: @escaping @Sendable (MigrationContext) -> MigrationReport) {
        self.body = body
    }

    /// Runs the code.
    public func run(in context: MigrationContext) -> MigrationReport { body(context) }
}
