/// The reason why a text is not one whole JSON value.
package struct JSONError: Error, Sendable, Equatable {
    /// The line, counted from 1.
    package let line: Int
    /// A sentence without its end, and without any part of the text.
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// The limits of a JSON text, because stack and memory are finite.
package struct JSONLimits: Sendable {
    /// The deepest nesting of values.
    package var depth: Int
    package var byteCount: Int

    package init(depth: Int = 64, byteCount: Int = 16 << 20) {
        self.depth = depth
        self.byteCount = byteCount
    }
}
