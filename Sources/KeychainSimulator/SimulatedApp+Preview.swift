import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Synchronization

// Looking ahead: what an app's search would come to now, without making it.
extension SimulatedApp {
    /// Runs code as this app whose searches leave no trace, and which can open the keys of files;
    /// whatever else it asks is refused.
    ///
    /// Where somebody would be asked a search gives -25308, and the factor tells for what.
    package func lookingAhead<R>(_ body: () throws -> R) rethrows -> (R, asked: Factor?) {
        let endpoint = PreviewEndpoint(previewEndpoint)
        let result = try RequestRouter.$current.withValue(endpoint, operation: body)
        return (result, endpoint.asked.withLock { $0 })
    }
}

extension SimulatedDevice {
    /// The classes whose key is in memory, most restrictive first; none after a failure of files.
    package var openClasses: [ProtectionClass] { (try? engine.openClasses) ?? [] }
}

/// An app's way to look at its device's keychain.
private final class PreviewEndpoint: Endpoint {
    private let real: AppEndpoint
    /// What the last search would ask for.
    let asked = Mutex<Factor?>(nil)

    init(_ real: AppEndpoint) { self.real = real }

    var profiles: Profiles { real.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        do throws(KeychainError) {
            return try real.route(request) { request, caller throws(KeychainError) in
                if case .fileKeys(.open) = request {
                    return try real.device.engine.perform(request, from: caller)
                }
                guard case .items(.copyMatching(let dictionary)) = request else {
                    throw KeychainError(.unimplemented, "only searches can be previewed")
                }
                return .items(.result(try real.device.engine.preview(dictionary, from: caller)))
            }
        } catch {
            asked.withLock { $0 = error.challenge?.factor }
            throw error
        }
    }

    func note(_ finding: Finding) {}
}
