import KeychainEngine
import KeychainModel
import Secrets

/// A program's way into an engine of the same process.
package struct EngineEndpoint: Endpoint {
    package let engine: Engine
    package let caller: Caller
    private let prompter: (any Prompter)?
    private let look: (@Sendable () -> Void)?
    private let listener: @Sendable (Finding) -> Void
    /// How it is unlocked without a person; nil for a keychain in no directory.
    let headless: HeadlessUnlock?

    /// Without a prompter, what needs a person is refused at once.
    ///
    /// `look` is called in front of every call that may need a person: to see what is around the
    /// device while the engine is free.
    package init(
        engine: Engine,
        caller: Caller,
        prompter: (any Prompter)? = nil,
        look: (@Sendable () -> Void)? = nil,
        headless: HeadlessUnlock? = nil,
        note: @escaping @Sendable (Finding) -> Void
    ) {
        self.engine = engine
        self.caller = caller
        self.prompter = prompter
        self.look = look
        self.headless = headless
        self.listener = note
    }

    package var profiles: Profiles { engine.profiles }

    package func send(_ request: Request) throws(KeychainError) -> Reply {
        if let look, request.mayNeedPerson { look() }
        let reply = try engine.perform(request, from: caller, asking: prompter)
        guard request.endsPasscode, let headless, case .changed(let warnings) = reply else {
            return reply
        }
        return .changed(warnings: warnings + headless.forget())
    }

    package func note(_ finding: Finding) { listener(finding) }
}

extension Request {
    /// Whether a person may have to prove something first.
    fileprivate var mayNeedPerson: Bool {
        switch self {
        // The passcode leaves a token behind only where a finger is known to be enrolled.
        case .device(.unlock), .device(.setPasscode): true
        case .device, .authenticate(.end): false
        default: true
        }
    }
}

extension Request {
    /// Whether the passcode of before is none any more.
    fileprivate var endsPasscode: Bool {
        switch self {
        case .device(.setPasscode), .device(.removePasscode): true
        default: false
        }
    }
}

extension EngineEndpoint: BackupEndpoint {
    package func backup(
        password: SharedSecret,
        to sink: BackupSink,
        progress: BackupProgress
    ) throws(KeychainError) -> BackupReport {
        try engine.backup(password: password, to: sink, progress: progress)
    }

    package func restore(
        password: SharedSecret,
        from source: BackupSource,
        progress: BackupProgress
    ) throws(KeychainError) -> RestoreReport {
        try engine.restore(password: password, from: source, progress: progress)
    }
}

extension EngineEndpoint: CheckEndpoint {
    package func check(
        _ extent: CheckExtent,
        naming: CheckListener,
        noting: BoundItemListener,
        progress: (Int) -> Void
    ) throws(KeychainError) -> CheckReport {
        try engine.check(extent, naming: naming, noting: noting, progress: progress)
    }

    package func passcodeLosses(naming: BoundItemListener) throws(KeychainError) -> Int {
        try engine.passcodeLosses(naming: naming)
    }

    package func acceptRows() throws(KeychainError) -> Int { try engine.acceptRows() }
}
