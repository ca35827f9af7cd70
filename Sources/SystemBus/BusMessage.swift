import CSystemd
import Glibc

/// A message, read from its first argument on.
package struct BusMessage {
    static let text = CChar(UInt8(ascii: "s"))
    static let path = CChar(UInt8(ascii: "o"))
    static let flag = CChar(UInt8(ascii: "b"))
    static let byte = CChar(UInt8(ascii: "y"))
    static let array = CChar(UInt8(ascii: "a"))
    static let number = CChar(UInt8(ascii: "u"))
    static let time = CChar(UInt8(ascii: "t"))
    private static let descriptor = CChar(UInt8(ascii: "h"))

    let message: OpaquePointer

    package var member: String? { sd_bus_message_get_member(message).map { String(cString: $0) } }

    /// The sender, by its unique name on the bus.
    package var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }

    package var interface: String? {
        sd_bus_message_get_interface(message).map { String(cString: $0) }
    }

    /// The path of the object that sent the message.
    package var origin: String? { sd_bus_message_get_path(message).map { String(cString: $0) } }

    package func text() -> String? { letters(Self.text) }

    package func path() -> String? { letters(Self.path) }

    package func flag() -> Bool? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, Self.flag, &value) > 0 ? value != 0 : nil
    }

    package func number() -> UInt32? {
        var value: UInt32 = 0
        return sd_bus_message_read_basic(message, Self.number, &value) > 0 ? value : nil
    }

    /// Returns a duplicate of a descriptor, which closes when another program is executed.
    package func descriptor() -> Int32? {
        var lent: Int32 = -1
        guard sd_bus_message_read_basic(message, Self.descriptor, &lent) > 0 else { return nil }
        let own = fcntl(lent, F_DUPFD_CLOEXEC, 3)
        return own >= 0 ? own : nil
    }

    /// Reads the content of a container, such as `v` of `s`; the body must read all of it.
    ///
    /// - Returns: The body's result; nil if there is no such container, or if not all of it was
    ///   read.
    package func inside<R>(_ kind: Unicode.Scalar, _ contents: String, _ body: () -> R?) -> R? {
        let kind = CChar(truncatingIfNeeded: kind.value)
        guard sd_bus_message_enter_container(message, kind, contents) > 0 else { return nil }
        let result = body()
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        return result
    }

    /// Whether the message is a call, rather than a reply, an error or a signal.
    package var isCall: Bool {
        var kind: UInt8 = 0
        return sd_bus_message_get_type(message, &kind) >= 0
            && Int(kind) == SD_BUS_MESSAGE_METHOD_CALL
    }

    /// Wipes the message's memory when it is freed.
    package func wipeAfterUse() { _ = sd_bus_message_sensitive(message) }

    package func largeNumber() -> UInt64? {
        var value: UInt64 = 0
        return sd_bus_message_read_basic(message, Self.time, &value) > 0 ? value : nil
    }

    /// Returns the type of the next value: its first letter, and the type inside a container.
    ///
    /// - Returns: The type; nil at the end of the message or of the current container.
    package func nextType() -> (kind: Unicode.Scalar, contents: String)? {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &kind, &contents) > 0 else { return nil }
        let letter = Unicode.Scalar(UInt8(bitPattern: kind))
        return (letter, contents.map { String(cString: $0) } ?? "")
    }

    /// Skips a value of a type; returns whether that succeeded.
    package func skip(_ type: String) -> Bool { sd_bus_message_skip(message, type) >= 0 }

    package func texts() -> [String] {
        guard sd_bus_message_enter_container(message, Self.array, "s") > 0 else { return [] }
        var texts: [String] = []
        while let text = text() { texts.append(text) }
        return texts
    }

    package func paths() -> [String]? {
        inside("a", "o") {
            var paths: [String] = []
            while let path = path() { paths.append(path) }
            return paths
        }
    }

    /// Reads a dictionary of texts.
    package func dictionary() -> [String: String]? {
        inside("a", "{ss}") {
            var entries: [String: String] = [:]
            while let (key, value) = inside("e", "ss", { pair() }) { entries[key] = value }
            return entries
        }
    }

    private func pair() -> (String, String)? {
        guard let key = text(), let value = text() else { return nil }
        return (key, value)
    }

    /// Reads an array of bytes, which is valid during the call.
    package func bytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
        var start: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(message, Self.byte, &start, &count) > 0 else { return nil }
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func letters(_ kind: CChar) -> String? {
        var start: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, kind, &start) > 0, let start else { return nil }
        return String(cString: start)
    }
}
