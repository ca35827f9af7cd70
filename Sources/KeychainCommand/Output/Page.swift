import KeychainModel
import Secrets

/// Output in the making: text for anybody, and secrets that are wiped once they are written.
package struct Page {
    private enum Piece {
        case text([UInt8])
        case secret(SharedSecret)
    }

    private var pieces: [Piece] = []

    package init() {}

    /// A page of one line.
    package init(line: String) { append(line: line) }

    /// Adds text as it is; it must be free of what people and items have supplied.
    package mutating func append(raw text: String) {
        pieces.append(.text(Array(text.utf8)))
    }

    /// Adds a line; characters that would act on a terminal are escaped.
    package mutating func append(line: String) {
        append(raw: VisibleText.escaping(line) + "\n")
    }

    /// Adds secret bytes as they are.
    package mutating func append(_ secret: consuming Secret) {
        pieces.append(.secret(SharedSecret(secret)))
    }

    /// Adds the pieces of another page.
    package mutating func append(_ page: Page) {
        pieces += page.pieces
    }

    /// Everything in one piece, as secret as its most secret part.
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

    /// Writes everything in order.
    ///
    /// - Throws: What the terminal throws.
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
