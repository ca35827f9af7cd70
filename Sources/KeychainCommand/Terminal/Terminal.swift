import KeychainModel

/// Where a command's output goes.
package enum OutputStream: Sendable, Hashable {
    /// Standard output: what was asked for.
    case output
    /// Standard error: everything else.
    case diagnostics
}

/// The three streams of a process, as far as a command needs them.
package protocol Terminal: AnyObject {
    /// Whether a person sits at standard input.
    var inputIsTerminal: Bool { get }

    /// Whether a person reads standard output.
    var outputIsTerminal: Bool { get }

    /// Whether a person reads standard error.
    var diagnosticsIsTerminal: Bool { get }

    /// Reads what standard input has, up to the size of the buffer.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    /// - Throws: `errSecIO`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(KeychainError) -> Int

    /// Whether reading standard input would not wait; looks for so many milliseconds.
    func inputIsReady(within milliseconds: Int32) -> Bool

    /// Asks the person at the terminal for a line, which is not shown.
    ///
    /// - Returns: The number of bytes, the newline included; 0 at the end of input.
    /// - Throws: `errSecIO`.
    func readHiddenLine(
        prompt: String,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(KeychainError) -> Int

    /// Writes all bytes. A reader who has gone away is not an error.
    ///
    /// - Throws: `errSecIO` or `errSecDiskFull`.
    func write(_ bytes: UnsafeRawBufferPointer, to stream: OutputStream) throws(KeychainError)

    /// Whether somebody can still read standard output: false once the reader of a pipe has gone.
    var outputIsRead: Bool { get }
}

extension Terminal {
    /// Nobody, unless the terminal knows better.
    package var diagnosticsIsTerminal: Bool { false }

    /// Writes bytes that are no secret.
    func write(_ bytes: [UInt8], to stream: OutputStream) throws(KeychainError) {
        try bytes.span.withUnsafeBytes { bytes throws(KeychainError) in
            try write(bytes, to: stream)
        }
    }
}

extension Terminal {
    /// Whether reading standard input would not wait; looks for so many milliseconds.
    package func inputIsReady(within milliseconds: Int32) -> Bool { true }

    package var outputIsRead: Bool { true }
}
