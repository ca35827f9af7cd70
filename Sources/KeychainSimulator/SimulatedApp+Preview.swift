import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Synchronization

// Previews of an app's searches, which leave no trace.
extension SimulatedApp {
    /// Runs code as this app, with searches that leave no trace.
    ///
    /// It can open the keys of files; every other request fails.
    ///
    /// If a search would prompt, it fails with -25308, and `asked` names the factor.
    package func lookingAhead<R>(_ body: () throws -> R) rethrows -> (R, asked: Factor?) {
        let endpoint = PreviewEndpoint(previewEndpoint)
        let result = try RequestRouter.$current.withValue(endpoint, operation: body)
        return (result, endpoint.asked.withLock { $0 })
    }
}

extension SimulatedDevice {
    /// The classes whose keys are in memory, most restrictive first; none after a failure of files.
    package var openClasses: [ProtectionClass] { (try? engine.openClasses) ?? [] }
}

/// An app's endpoint for searches without a trace.
private final class PreviewEndpoint: Endpoint {
    private let real: AppEndpoint
    /// The factor that the last search would prompt for.
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
