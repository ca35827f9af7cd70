import KeychainHost
import KeychainMessages
import KeychainModel
import Synchronization

/// An endpoint that passes on the findings of each call, for a caller in another process.
package protocol ObservedEndpoint: Endpoint {
    /// Performs a request, and passes each finding of this call to `collect`.
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
