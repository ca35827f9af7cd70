import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

/// A program's endpoint for an engine of the same process.
package struct EngineEndpoint: Endpoint {
    package let engine: Engine
    package let caller: Caller
    private let prompter: (any Prompter)?
    private let look: (@Sendable () -> Void)?
    private let listener: @Sendable (Finding) -> Void
    /// The way to unlock the keychain without a user; nil for a keychain without a directory.
    let headless: HeadlessUnlock?
    private let callerWork = CallerWork()

    /// Creates an endpoint; without a prompter, calls that need a prompt fail at once.
    ///
    /// `look` is called before every call that may need a prompt, to read the device's surroundings
    /// while the engine is free.
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
        let reply = try engine.perform(request, from: caller, callerWork, asking: prompter)
        return headless?.completing(reply, to: request) ?? reply
    }

    package func note(_ finding: Finding) { listener(finding) }

    package var endpointDescription: EndpointDescription {
        EndpointDescription(.embedded, place: headless?.home.directory)
    }
}

extension HeadlessUnlock {
    /// Returns the reply, with warnings if it made a sealed passcode invalid.
    package func completing(_ reply: Reply, to request: Request) -> Reply {
        guard request.endsPasscode, case .device(.changed(let warnings)) = reply else {
            return reply
        }
        return .device(.changed(warnings: warnings + forget()))
    }
}

extension Request {
    /// Whether the request may need a prompt.
    fileprivate var mayNeedPerson: Bool {
        switch self {
        // The passcode issues an unlock token only if a finger is known to be enrolled.
        case .device(.unlock), .device(.setPasscode): true
        case .items, .elementKey, .authenticate(.evaluate), .authenticate(.canEvaluate),
            .authenticate(.biometryStatus):
            true
        case .device(.status), .device(.lock), .device(.removePasscode), .device(.setLockSettings),
            .authenticate(.end), .maintenance, .fileKeys, .synchronization:
            false
        }
    }

    /// Whether the request replaces or removes the passcode.
    fileprivate var endsPasscode: Bool {
        switch self {
        case .device(.setPasscode), .device(.removePasscode): true
        case .device(.status), .device(.lock), .device(.unlock), .device(.setLockSettings),
            .items, .elementKey, .authenticate, .maintenance, .fileKeys, .synchronization:
            false
        }
    }
}
