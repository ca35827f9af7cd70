// As on Apple's platforms, code that imports SwiftUI gets ObservableObject and @Published.
@_exported public import Combine
public import Foundation

/// A property wrapper that SwiftUI updates before it evaluates a view; nothing updates it here.
@MainActor
public protocol DynamicProperty {
    /// Updates the wrapped value.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// A value that a view owns.
@MainActor
@propertyWrapper
public struct State<Value>: DynamicProperty {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    /// Creates a value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    /// A binding to the value, for other views.
    public var projectedValue: Binding<Value> {
        Binding(get: { [box] in box.value }, set: { [box] in box.value = $0 })
    }
}

/// Access to a value that another view owns.
@MainActor
@propertyWrapper
public struct Binding<Value>: DynamicProperty {
    private let get: () -> Value
    private let set: (Value) -> Void

    /// Creates a binding.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// The value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }
}

/// A value in the user's defaults, which are an unencrypted file.
///
/// A secret belongs in the keychain instead.
@MainActor
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    private let key: String
    private let standard: Value
    private let store: UserDefaults

    /// Creates access to a value.
    public init(
        wrappedValue: Value,
        _ key: String,
        store: UserDefaults? = nil
    ) where Value == Bool { self.init(wrappedValue, key, store) }
    /// Creates access to a value.
    public init(
        wrappedValue: Value,
        _ key: String,
        store: UserDefaults? = nil
    ) where Value == Int { self.init(wrappedValue, key, store) }
    /// Creates access to a value.
    public init(
        wrappedValue: Value,
        _ key: String,
        store: UserDefaults? = nil
    ) where Value == String { self.init(wrappedValue, key, store) }

    private init(_ standard: Value, _ key: String, _ store: UserDefaults?) {
        self.key = key
        self.standard = standard
        self.store = store ?? .standard
    }

    /// The stored value, or else the property's initial value.
    public var wrappedValue: Value {
        get { store.object(forKey: key) as? Value ?? standard }
        nonmutating set { store.set(newValue, forKey: key) }
    }
}

/// A model that a view owns.
@MainActor
@propertyWrapper
public struct StateObject<Model: ObservableObject>: DynamicProperty {
    /// The model.
    public let wrappedValue: Model

    /// Creates the model.
    public init(wrappedValue: @autoclosure () -> Model) { self.wrappedValue = wrappedValue() }
}

/// A model that a view reads.
@MainActor
@propertyWrapper
public struct ObservedObject<Model: ObservableObject>: DynamicProperty {
    /// The model.
    public let wrappedValue: Model

    /// Reads a model.
    public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }
}

/// The environment of a view or a scene.
public struct EnvironmentValues: Sendable {
    /// Always `background`, because there is no screen.
    public var scenePhase: ScenePhase { .background }
}

/// One value from the environment of a view.
@MainActor
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    /// The value.
    public let wrappedValue: Value

    /// Reads a value.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues()[keyPath: keyPath]
    }
}
