import KeychainModel
import Secrets

/// Output in preparation: public text, and secrets that are wiped after they are written.
package struct Page {
    private enum Piece {
        case text([UInt8])
        case secret(SharedSecret)
    }

    private var pieces: [Piece] = []

    package init() {}

    /// Makes a page of one line.
    package init(line: String) { append(line: line) }

    /// Appends text unchanged; it must not come from a user or an item.
    package mutating func append(raw text: String) {
        pieces.append(.text(Array(text.utf8)))
    }

    /// Appends a line, and escapes characters that would act on a terminal.
    package mutating func append(line: String) {
        append(raw: VisibleText.escaping(line) + "\n")
    }

    /// Appends secret bytes unchanged.
    package mutating func append(_ secret: consuming Secret) {
        pieces.append(.secret(SharedSecret(secret)))
    }

    /// Appends the pieces of another page.
    package mutating func append(_ page: Page) {
        pieces += page.pieces
    }

    /// All pieces in one secret.
    var joined: SharedSecret {
        pieces.reduce(SharedSecret(Secret(copying: []))) { done, piece in
            switch piece {
            case .text(let bytes):
                SharedSecret(Secret(concatenating: done.secret, Secret(copying: bytes)))
            case .secret(let shared):
                SharedSecret(Secret(concatenating: done.secret, shared.secret))
            }
        }
    }

    /// Writes all pieces in order.
    ///
    /// - Throws: The error of the terminal.
    func write(to terminal: any Terminal, _ stream: OutputStream) throws(KeychainError) {
        var run: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let bytes): run += bytes
            case .secret(let shared):
                try Self.flush(&run, to: terminal, stream)
                try shared.secret.withUnsafeBytes { bytes throws(KeychainError) in
                    try terminal.write(bytes, to: stream)
                }
            }
        }
        try Self.flush(&run, to: terminal, stream)
    }

    private static func flush(
        _ run: inout [UInt8],
        to terminal: any Terminal,
        _ stream: OutputStream
    ) throws(KeychainError) {
        guard !run.isEmpty else { return }
        try terminal.write(run, to: stream)
        run.removeAll(keepingCapacity: true)
    }
}
