/// A part of a user interface.
///
/// Nothing shows it, so its body is never evaluated.
@MainActor @preconcurrency
public protocol View {
    /// The type of the view's content.
    associatedtype Body: View
    /// The content of the view.
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    /// A body that must not be used, because no such value exists.
    public var body: Never { preconditionFailure("a view without a body has none") }
}

/// A view of this module, which has no body.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    /// A body that must not be used, because the view has none.
    public var body: Never { preconditionFailure("a view without a body has none") }
}

/// A view without content.
public struct EmptyView: PrimitiveView {
    /// Creates the empty view.
    public init() {}
}

/// A text, which is never shown.
public struct Text: PrimitiveView {
    /// Creates a text.
    public init(_ content: some StringProtocol) {}
}

/// Several views.
public struct TupleView<each Content: View>: PrimitiveView {
    init(_ content: repeat each Content) {}
}

/// One of two views.
public enum ConditionalView<First: View, Second: View>: PrimitiveView {
    /// The first one.
    case first(First)
    /// The second one.
    case second(Second)
}

extension Optional: View where Wrapped: View {
    /// A body that must not be used, because the view has none.
    public var body: Never { preconditionFailure("a view without a body has none") }
}

/// Views in a column.
public struct VStack: PrimitiveView {
    /// Creates a column.
    public init(@ViewBuilder content: () -> some View) {}
}

/// A field for a text.
public struct TextField: PrimitiveView {
    /// Creates a field for a binding.
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

/// A field for a password.
public struct SecureField: PrimitiveView {
    /// Creates a field for a binding.
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

/// A button, which is never pressed.
public struct Button: PrimitiveView {
    /// Creates a button with an action, which never runs.
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

/// A builder that makes one view from several.
@resultBuilder
@MainActor
public enum ViewBuilder {
    /// Builds no view.
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// Builds one view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Builds several views.
    @_disfavoredOverload
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<repeat each Content> {
        TupleView(repeat each content)
    }
    /// Builds a view of an `if` without `else`.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// Builds the view of an `if`.
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> ConditionalView<First, Second> { .first(first) }
    /// Builds the view of an `else`.
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> ConditionalView<First, Second> { .second(second) }
}

extension View {
    /// Returns the view; the action never runs, because no view appears.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    /// Returns the view; the action never runs, because no view appears.
    public func task(_ action: @escaping @Sendable () async -> Void) -> some View { self }
    /// Returns the view; the action never runs, because nothing evaluates views.
    public func onChange<Value: Equatable>(
        of value: Value,
        _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some View { self }
}
