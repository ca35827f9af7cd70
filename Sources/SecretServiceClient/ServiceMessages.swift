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

/// What came of a call; the first one, before any call, is that of the connection to the bus.
package enum ServiceAnswer: Codable, Sendable {
    case done
    case listing(SecretServiceListing)
    case item(SecretServiceItem?)
    case value(SecretServiceValue)
    case created(String)
    case failed(SourceFailure)
}

/// Messages over one end of a connection: four bytes of length, then as many bytes of JSON.
package struct ServiceMessages {
    /// The most bytes of a message: more than a desktop's passwords have together.
    package static let byteCountLimit = 64 << 20
    /// How long the other side may take for what needs a person.
    private static let patience: Int32 = 300_000

    private let descriptor: Int32

    /// Takes a descriptor that somebody else closes.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a message.
    ///
    /// - Returns: Whether the other side took all of it.
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
    ///   - type: The kind of message.
    ///   - isPatient: Whether the other side may take as long as it likes.
    /// - Returns: nil at the end of the connection, after five minutes, and for bytes that are no
    ///   message.
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
