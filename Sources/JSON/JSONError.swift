/// Why a text is not one whole JSON value.
package struct JSONError: Error, Sendable, Equatable {
    /// Counted from 1.
    package let line: Int
    /// A sentence without its end, and without anything out of the text.
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// The most that a JSON text may have: the stack is finite, and memory is.
package struct JSONLimits: Sendable {
    /// How many levels values may have.
    package var depth: Int
    package var byteCount: Int

    package init(depth: Int = 64, byteCount: Int = 16 << 20) {
        self.depth = depth
        self.byteCount = byteCount
    }
}
