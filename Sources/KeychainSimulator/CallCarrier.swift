import KeychainEngine
import KeychainMessages
import KeychainModel
import Synchronization

/// A call of a simulated app at its device.
package struct CarriedCall: Sendable {
    package let engine: Engine
    package let caller: Caller
    /// The app's bundle identifier.
    package let app: String
    /// The person in front of the device.
    package let prompter: any Prompter
    /// Records a finding about the call.
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

/// A carrier that transports the calls of simulated apps to their devices, instead of a function
/// call.
package protocol CallCarrier: Sendable {
    /// Sends a request to the engine, and returns the reply.
    func carry(_ request: Request, _ call: CarriedCall) throws(KeychainError) -> Reply

    /// Releases the resources for a device that no longer exists.
    func forget(_ engine: Engine)
}

extension SimulatedDevice {
    private static let carrier = Mutex<(any CallCarrier)?>(nil)

    /// The carrier of this process; nil calls the engine directly.
    package static var callCarrier: (any CallCarrier)? {
        get { carrier.withLock { $0 } }
        set { carrier.withLock { $0 = newValue } }
    }
}
