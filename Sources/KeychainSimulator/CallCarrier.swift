import KeychainEngine
import KeychainMessages
import KeychainModel
import Synchronization

/// A call of a simulated app, as it arrives at its device.
package struct CarriedCall: Sendable {
    package let engine: Engine
    package let caller: Caller
    /// The app's bundle identifier.
    package let app: String
    /// The person in front of the device.
    package let prompter: any Prompter
    /// Takes what was noticed in the call.
    package let note: @Sendable (Finding) -> Void

    package init(
        engine: Engine,
        caller: Caller,
        app: String,
        prompter: any Prompter,
        note: @escaping @Sendable (Finding) -> Void
    ) {
        self.engine = engine
        self.caller = caller
        self.app = app
        self.prompter = prompter
        self.note = note
    }
}

/// Whoever carries the calls of simulated apps to their devices by another way than a function.
package protocol CallCarrier: Sendable {
    /// Carries a request to the engine and the answer back.
    func carry(_ request: Request, _ call: CarriedCall) throws(KeychainError) -> Reply

    /// Lets go of what it keeps for a device that is gone.
    func forget(_ engine: Engine)
}

extension SimulatedDevice {
    private static let carrier = Mutex<(any CallCarrier)?>(nil)

    /// The carrier of this process; nil calls the engine.
    package static var callCarrier: (any CallCarrier)? {
        get { carrier.withLock { $0 } }
        set { carrier.withLock { $0 = newValue } }
    }
}
