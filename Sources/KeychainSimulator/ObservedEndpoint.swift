import KeychainHost
import KeychainMessages
import KeychainModel
import Synchronization

/// An endpoint that hands over the findings of each call, for whoever made the call elsewhere.
package protocol ObservedEndpoint: Endpoint {
    /// Carries out a request; `collect` takes each finding of this call.
    func send(
        _ request: Request,
        collecting collect: @escaping @Sendable (Finding) -> Void
    ) throws(KeychainError) -> Reply
}

extension AppEndpoint: ObservedEndpoint {
    func send(
        _ request: Request,
        collecting collect: @escaping @Sendable (Finding) -> Void
    ) throws(KeychainError) -> Reply {
        let result = DiagnosticLog.$collector.withValue(.init(take: collect)) {
            () -> Result<Reply, KeychainError> in
            do throws(KeychainError) { return .success(try send(request)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
