import KeychainSync
import SyncRelay

extension Relay {
    /// Returns entries of a stream; none if the stream is damaged.
    ///
    /// So one damaged stream does not keep a device from reading the others.
    func sound(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        do throws(RelayError) {
            return try entries(of: stream, from: first, byteCountLimit: byteCountLimit)
        } catch {
            guard case .damaged = error else { throw error }
            return []
        }
    }
}
