public import Foundation

/// An object that announces its changes.
///
/// ```swift
/// final class Session: ObservableObject {
///     @Published var isSignedIn = false
/// }
/// ```
public protocol ObservableObject: AnyObject {
    /// The kind of its publisher.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    /// Delivers before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Delivers before a `@Published` property changes.
    ///
    /// The program stops if the class has no such property. Then declare
    /// `let objectWillChange = ObservableObjectPublisher()` in it.
    public var objectWillChange: ObservableObjectPublisher {
        let mirrors = sequence(first: Mirror(reflecting: self), next: \.superclassMirror)
        let fields = mirrors.flatMap(\.children).compactMap { $0.value as? any PublishedField }
        precondition(!fields.isEmpty, "\(Self.self) has no @Published property to announce")
        let publisher = fields.lazy.compactMap(\.announcer).first ?? ObservableObjectPublisher()
        for field in fields { field.setAnnouncer(publisher) }
        return publisher
    }
}

/// A publisher that announces that an object will change.
public final class ObservableObjectPublisher: Publisher {
    /// It delivers only the announcement.
    public typealias Output = Void
    /// It does not fail.
    public typealias Failure = Never

    private let subject = PassthroughSubject<Void, Never>()

    /// Creates a publisher.
    public init() {}

    /// Announces a change.
    public func send() { subject.send() }

    /// Delivers each announcement to a closure.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        subject.sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }
}

/// A `@Published` property of any type.
private protocol PublishedField {
    var announcer: ObservableObjectPublisher? { get }
    func setAnnouncer(_ announcer: ObservableObjectPublisher)
}

/// A property of a class that publishes its values, each before the property has it.
@propertyWrapper
public struct Published<Value> {
    private final class Storage {
        var announcer: ObservableObjectPublisher?
        let subject: CurrentValueSubject<Value, Never>
        var value: Value

        init(_ value: Value) {
            subject = CurrentValueSubject(value)
            self.value = value
        }
    }

    private let storage: Storage

    /// Creates a property with its first value.
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// Creates a property with its first value.
    public init(initialValue: Value) { storage = Storage(initialValue) }

    /// Only a class can have such a property.
    @available(*, unavailable, message: "@Published is for the properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// A publisher of the present value and each later one.
    public var projectedValue: AnyPublisher<Value, Never> { storage.subject.eraseToAnyPublisher() }

    /// Reads and writes the property of an object.
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set {
            let storage = object[keyPath: storageKeyPath].storage
            storage.announcer?.send()
            storage.subject.send(newValue)
            storage.value = newValue
        }
    }
}

extension Published: PublishedField {
    fileprivate var announcer: ObservableObjectPublisher? { storage.announcer }
    fileprivate func setAnnouncer(_ announcer: ObservableObjectPublisher) {
        storage.announcer = announcer
    }
}

extension NotificationCenter {
    /// A publisher of notifications.
    public struct Publisher: Combine.Publisher {
        /// It delivers notifications.
        public typealias Output = Notification
        /// It does not fail.
        public typealias Failure = Never

        let center: NotificationCenter
        let name: Notification.Name
        let object: AnyObject?

        /// Delivers each notification to a closure, on the thread that posts it.
        public func sink(
            receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void,
            receiveValue: @escaping (Notification) -> Void
        ) -> AnyCancellable {
            nonisolated(unsafe) let receiveValue = receiveValue
            let observer = center.addObserver(forName: name, object: object, queue: nil) {
                receiveValue($0)
            }
            return AnyCancellable { [center] in center.removeObserver(observer) }
        }
    }

    /// Returns a publisher of notifications of a name, and of an object if you name one.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}
