import KeychainModel

/// The destination of a command's output.
package enum OutputStream: Sendable, Hashable {
    /// Standard output, for the result.
    case output
    /// Standard error, for everything else.
    case diagnostics
}

/// The three standard streams of a process.
package protocol Terminal: AnyObject {
    /// Whether standard input is a terminal.
    var inputIsTerminal: Bool { get }

    /// Whether standard output is a terminal.
    var outputIsTerminal: Bool { get }

    /// Whether standard error is a terminal.
    var diagnosticsIsTerminal: Bool { get }

    /// Reads available bytes from standard input, up to the size of the buffer.
    ///
    /// - Returns: The number of bytes; 0 at the end of input.
    /// - Throws: `errSecIO`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(KeychainError) -> Int

    /// Whether standard input has bytes, or gets some within the given time.
    func inputIsReady(within milliseconds: Int32) -> Bool

    /// Prompts the user for a line without showing it.
    ///
    /// - Returns: The number of bytes, including the newline; 0 at the end of input.
    /// - Throws: `errSecIO`.
    func readHiddenLine(
        prompt: String,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(KeychainError) -> Int

    /// Writes all bytes; it is no error if the reader has gone.
    ///
    /// - Throws: `errSecIO` or `errSecDiskFull`.
    func write(_ bytes: UnsafeRawBufferPointer, to stream: OutputStream) throws(KeychainError)

    /// Whether standard output still has a reader; false once the reader of a pipe has gone.
    var outputIsRead: Bool { get }
}

extension Terminal {
    /// Returns false by default.
    package var diagnosticsIsTerminal: Bool { false }

    /// Writes bytes that are not secret.
    func write(_ bytes: [UInt8], to stream: OutputStream) throws(KeychainError) {
        try bytes.span.withUnsafeBytes { bytes throws(KeychainError) in
            try write(bytes, to: stream)
        }
    }
}

extension Terminal {
    /// Returns true by default.
    package func inputIsReady(within milliseconds: Int32) -> Bool { true }

    package var outputIsRead: Bool { true }
}
