import KeychainCommand
import KeychainModel

/// A terminal whose input is written down beforehand and whose output is kept.
final class TestTerminal: Terminal {
    let inputIsTerminal: Bool
    let outputIsTerminal: Bool
    private(set) var output: [UInt8] = []
    private(set) var diagnostics: [UInt8] = []

    private var input: ArraySlice<UInt8>
    private var typedLines: ArraySlice<String>

    /// A pipe at standard input.
    init(input: [UInt8] = [], outputIsTerminal: Bool = false) {
        self.input = input[...]
        self.typedLines = []
        self.inputIsTerminal = false
        self.outputIsTerminal = outputIsTerminal
    }

    /// A person at standard input, who types these lines when asked.
    init(typing lines: [String], outputIsTerminal: Bool = false) {
        self.input = []
        self.typedLines = lines[...]
        self.inputIsTerminal = true
        self.outputIsTerminal = outputIsTerminal
    }

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var diagnosticsText: String { String(decoding: diagnostics, as: UTF8.self) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let taken = input.prefix(buffer.count)
        input = input.dropFirst(taken.count)
        buffer.copyBytes(from: taken)
        return taken.count
    }

    func readHiddenLine(prompt: String, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        diagnostics += Array((prompt + "\n").utf8)
        guard let line = typedLines.popFirst() else { return 0 }
        let bytes = Array((line + "\n").utf8)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, to stream: OutputStream) {
        switch stream {
        case .output: output += bytes
        case .diagnostics: diagnostics += bytes
        }
    }
}
