import CSystemd

/// The arguments of a call, written from first to last.
package struct BusArguments {
    let message: OpaquePointer

    package func text(_ text: String) throws(BusError) {
        try require(sd_bus_message_append_basic(message, BusMessage.text, text))
    }

    package func path(_ path: String) throws(BusError) {
        try require(sd_bus_message_append_basic(message, BusMessage.path, path))
    }

    package func number(_ number: UInt32) throws(BusError) {
        var value = number
        try require(sd_bus_message_append_basic(message, BusMessage.number, &value))
    }

    package func largeNumber(_ number: UInt64) throws(BusError) {
        var value = number
        try require(sd_bus_message_append_basic(message, BusMessage.time, &value))
    }

    package func flag(_ flag: Bool) throws(BusError) {
        var value: Int32 = flag ? 1 : 0
        try require(sd_bus_message_append_basic(message, BusMessage.flag, &value))
    }

    package func bytes(_ bytes: [UInt8]) throws(BusError) {
        let code = bytes.withUnsafeBytes { bytes in
            sd_bus_message_append_array(message, BusMessage.byte, bytes.baseAddress, bytes.count)
        }
        try require(code)
    }

    package func bytes(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
        try require(
            sd_bus_message_append_array(message, BusMessage.byte, bytes.baseAddress, bytes.count)
        )
    }

    /// Writes a container, such as `v` of `s`.
    package func inside(
        _ kind: Unicode.Scalar,
        _ contents: String,
        _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        let kind = CChar(truncatingIfNeeded: kind.value)
        try require(sd_bus_message_open_container(message, kind, contents))
        try body()
        try require(sd_bus_message_close_container(message))
    }

    private func require(_ code: Int32) throws(BusError) {
        guard code >= 0 else { throw BusError(name: nil) }
    }
}
