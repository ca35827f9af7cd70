import Foundation
import Glibc
import KeychainMigration

/// A call of `SecretService`, for the program that talks to the bus.
///
/// - Source: Documentation/Spec/migration.md, "The bus".
package enum ServiceCall: Codable, Sendable {
    case listing
    case item(String)
    case value(String)
    case delete(String)
    case create(SecretServiceItem, SecretServiceValue)
    case replace(String, SecretServiceValue)
}

/// The result of a call.
///
/// The first one precedes all calls, and is about the connection to the bus.
package enum ServiceAnswer: Codable, Sendable {
    case done
    case listing(SecretServiceListing)
    case item(SecretServiceItem?)
    case value(SecretServiceValue)
    case created(String)
    case failed(SourceFailure)
}

/// A channel for messages: four bytes of length, then as many bytes of JSON.
package struct ServiceMessages {
    /// The greatest size of a message in bytes, which exceeds all passwords of a desktop together.
    package static let byteCountLimit = 64 << 20
    /// The time limit for a reply that may need the user, in milliseconds.
    private static let patience: Int32 = 300_000

    private let descriptor: Int32

    /// Uses a descriptor, which the caller closes.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a message.
    ///
    /// - Returns: Whether the other side received all of it.
    package func send(_ message: some Encodable) -> Bool {
        guard let body = try? JSONEncoder().encode(message), body.count <= Self.byteCountLimit
        else { return false }
        let size = (0..<4).map { UInt8(body.count >> (24 - 8 * $0) & 0xFF) }
        return [UInt8](size + body).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let flags = Int32(MSG_NOSIGNAL)
                let count = Glibc.send(descriptor, part.baseAddress, part.count, flags)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Waits for the next message.
    ///
    /// - Parameters:
    ///   - type: The type of the message.
    ///   - isPatient: Whether to wait without a time limit.
    /// - Returns: The message; nil at the end of the connection, after five minutes, and for
    ///   invalid bytes.
    package func receive<Message: Decodable>(
        _ type: Message.Type,
        isPatient: Bool = false
    ) -> Message? {
        guard let size = bytes(4, isPatient: isPatient) else { return nil }
        let count = size.reduce(0) { $0 << 8 | Int($1) }
        guard count <= Self.byteCountLimit, let body = bytes(count, isPatient: isPatient) else {
            return nil
        }
        return try? JSONDecoder().decode(type, from: Data(body))
    }

    private func bytes(_ count: Int, isPatient: Bool) -> [UInt8]? {
        var found: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while found.count < count {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, isPatient ? -1 : Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let wanted = min(part.count, count - found.count)
            let read = Glibc.read(descriptor, &part, wanted)
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return nil }
            found += part[..<read]
        }
        return found
    }
}
