import CSystemd
import Glibc

/// A message that is being read, from its first argument on.
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

    /// Who sent it, by the name that the bus gave.
    package var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }

    package var interface: String? {
        sd_bus_message_get_interface(message).map { String(cString: $0) }
    }

    /// The object that it comes from.
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

    /// A descriptor of the caller's own, closed when another program runs.
    package func descriptor() -> Int32? {
        var lent: Int32 = -1
        guard sd_bus_message_read_basic(message, Self.descriptor, &lent) > 0 else { return nil }
        let own = fcntl(lent, F_DUPFD_CLOEXEC, 3)
        return own >= 0 ? own : nil
    }

    /// Reads on inside a container, such as `v` of `s`; the body reads all of it.
    ///
    /// - Returns: nil, and nothing is read, if there is none of that kind, or not all was read.
    package func inside<R>(_ kind: Unicode.Scalar, _ contents: String, _ body: () -> R?) -> R? {
        let kind = CChar(truncatingIfNeeded: kind.value)
        guard sd_bus_message_enter_container(message, kind, contents) > 0 else { return nil }
        let result = body()
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        return result
    }

    /// Whether it is a call, and not a reply, an error or a signal.
    package var isCall: Bool {
        var kind: UInt8 = 0
        return sd_bus_message_get_type(message, &kind) >= 0
            && Int(kind) == SD_BUS_MESSAGE_METHOD_CALL
    }

    /// Has the memory of the message wiped when it is freed.
    package func wipeAfterUse() { _ = sd_bus_message_sensitive(message) }

    package func largeNumber() -> UInt64? {
        var value: UInt64 = 0
        return sd_bus_message_read_basic(message, Self.time, &value) > 0 ? value : nil
    }

    /// The type of what is read next: its first letter, and what is inside a container.
    ///
    /// - Returns: nil at the end of the message or of the container that is being read.
    package func nextType() -> (kind: Unicode.Scalar, contents: String)? {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &kind, &contents) > 0 else { return nil }
        let letter = Unicode.Scalar(UInt8(bitPattern: kind))
        return (letter, contents.map { String(cString: $0) } ?? "")
    }

    /// Passes over a value of that type.
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

    /// A dictionary of texts by text.
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

    /// An array of bytes; the body's memory is the message's.
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
