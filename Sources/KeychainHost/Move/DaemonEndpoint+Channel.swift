import KeychainMessages
import KeychainModel

extension DaemonEndpoint: DaemonChannel {
    package func perform(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        try ask(request)
    }

    package func kind() throws(KeychainError) -> EndpointDescription.Kind { try welcome().kind }
}
