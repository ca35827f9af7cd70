import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSimulator

/// A keychain of this machine at the endpoint of this run.
final class CarriedMachine: Endpoint {
    private let embedded: EngineEndpoint
    private let call: CarriedCall

    init(_ engine: Engine, _ caller: Caller, _ prompter: any Prompter) {
        embedded = EngineEndpoint(
            engine: engine,
            caller: caller,
            prompter: prompter,
            note: { _ in }
        )
        call = CarriedCall(
            engine: engine,
            caller: caller,
            app: "a program of this machine",
            prompter: prompter,
            note: { _ in }
        )
    }

    deinit { SimulatedDevice.callCarrier?.forget(call.engine) }

    var profiles: Profiles { embedded.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        guard let carrier = SimulatedDevice.callCarrier else { return try embedded.send(request) }
        return try carrier.carry(request, call)
    }

    func note(_ finding: Finding) {}
}
