/// The part of an interpolated value that the log may show.
///
/// Numbers and truth values are public unless you say otherwise, and everything else is private.
/// This machine's log never shows a private value, not even in a debugger.
///
/// ```swift
/// logger.notice("Signed in: \(account, privacy: .private(mask: .hash))")
/// ```
///
/// - Source: Apple's documentation of `OSLogPrivacy`.
public struct OSLogPrivacy: Sendable {
    /// The text in place of a private value.
    public enum Mask: Sendable {
        /// A number that is equal for equal values, until the process ends.
        case hash
        /// `<private>`.
        case none
    }

    enum Disclosure: Sendable { case automatic, open, hidden, sensitive }

    let disclosure: Disclosure
    let mask: Mask

    /// Shows numbers and truth values, and hides everything else.
    public static var auto: OSLogPrivacy { .init(disclosure: .automatic, mask: .none) }
    /// Shows the value.
    public static var `public`: OSLogPrivacy { .init(disclosure: .open, mask: .none) }
    /// Hides the value.
    public static var `private`: OSLogPrivacy { .init(disclosure: .hidden, mask: .none) }
    /// Hides the value, even where private values are shown.
    public static var sensitive: OSLogPrivacy { .init(disclosure: .sensitive, mask: .none) }

    /// Hides the value like ``auto``, with a mask in its place.
    public static func auto(mask: Mask) -> OSLogPrivacy {
        .init(disclosure: .automatic, mask: mask)
    }
    /// Hides the value, with a mask in its place.
    public static func `private`(mask: Mask) -> OSLogPrivacy {
        .init(disclosure: .hidden, mask: mask)
    }
    /// Hides the value everywhere, with a mask in its place.
    public static func sensitive(mask: Mask) -> OSLogPrivacy {
        .init(disclosure: .sensitive, mask: mask)
    }

    /// Returns the text that the log shows for a value.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - isScalar: Whether it is a number or a truth value.
    /// - Returns: The value, or its mask.
    func shown(_ text: String, isScalar: Bool) -> String {
        switch (disclosure, mask) {
        case (.open, _): text
        case (.automatic, _) where isScalar: text
        case (_, .hash): LogMask.shared.text(for: text)
        case (.sensitive, .none): "<sensitive>"
        case (_, .none): "<private>"
        }
    }
}
