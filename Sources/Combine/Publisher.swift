public import Dispatch
public import Foundation

/// A source of values over time.
///
/// It delivers every value to every subscriber at once. There is no demand: `Subscriber` and
/// `Subscription` do not exist here.
///
/// ```swift
/// let unlocks = NotificationCenter.default
///     .publisher(for: UIApplication.protectedDataDidBecomeAvailableNotification)
///     .sink { _ in retry() }
/// ```
public protocol Publisher<Output, Failure> {
    /// The type of its values.
    associatedtype Output
    /// The error with which it may end.
    associatedtype Failure: Error

    /// Delivers values and the end to closures, until the result is canceled or released.
    func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable
}

/// The events that subscribers receive.
public enum Subscribers {
    /// The end of a publisher.
    public enum Completion<Failure: Error> {
        /// There are no more values.
        case finished
        /// An error occurred.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Sendable {}

/// An operation that can be stopped.
public protocol Cancellable {
    /// Stops it.
    func cancel()
}

/// A subscription that ends when it is canceled or released.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = NSLock()
    private var action: (() -> Void)?

    /// Creates a subscription from the function that ends it.
    public init(_ cancel: @escaping () -> Void) { action = cancel }

    /// Creates a subscription from another one.
    public convenience init(_ canceller: some Cancellable) {
        self.init { canceller.cancel() }
    }

    deinit { cancel() }

    /// Ends the subscription; a second call has no effect.
    public func cancel() {
        let action = lock.withLock {
            defer { self.action = nil }
            return self.action
        }
        action?()
    }

    /// Stores it in a set, as long as the set lives.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Stores it in a collection, as long as the collection lives.
    public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
        collection.append(self)
    }

    /// Returns whether both are the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Publisher where Failure == Never {
    /// Delivers values to a closure, until the result is canceled or released.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Writes each value to a property, until the result is canceled or released.
    public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>,
        on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }
}

/// A publisher whose type is hidden.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribe:
        (
            @escaping (Subscribers.Completion<Failure>) -> Void, @escaping (Output) -> Void
        ) -> AnyCancellable

    /// Wraps a publisher.
    public init(_ publisher: some Publisher<Output, Failure>) {
        self.init { publisher.sink(receiveCompletion: $0, receiveValue: $1) }
    }

    init(
        _ subscribe:
            @escaping (
                @escaping (Subscribers.Completion<Failure>) -> Void, @escaping (Output) -> Void
            ) -> AnyCancellable
    ) { self.subscribe = subscribe }

    /// Delivers values and the end to closures.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable { subscribe(receiveCompletion, receiveValue) }
}

extension Publisher {
    /// Returns this publisher without its type.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

    /// Returns a publisher of the results of a closure for each value.
    public func map<Result>(
        _ transform: @escaping (Output) -> Result
    ) -> AnyPublisher<Result, Failure> {
        AnyPublisher { completion, value in
            sink(receiveCompletion: completion) { value(transform($0)) }
        }
    }

    /// Returns a publisher of the values for which a closure returns true.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        AnyPublisher { completion, value in
            sink(receiveCompletion: completion) { if isIncluded($0) { value($0) } }
        }
    }

    /// Returns a publisher that delivers on a queue, in order if the queue is serial.
    public func receive(on queue: DispatchQueue) -> AnyPublisher<Output, Failure> {
        delivered { queue.async(execute: $0) }
    }

    /// Returns a publisher that delivers on a queue, in order if the queue is serial.
    public func receive(on queue: OperationQueue) -> AnyPublisher<Output, Failure> {
        delivered { queue.addOperation($0) }
    }

    private func delivered(
        by perform: @escaping (@escaping @Sendable () -> Void) -> Void
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { completion, value in
            nonisolated(unsafe) let (completion, value) = (completion, value)
            return sink { end in
                perform { completion(end) }
            } receiveValue: { output in
                nonisolated(unsafe) let output = output
                perform { value(output) }
            }
        }
    }
}

/// A publisher of one value.
public struct Just<Output>: Publisher {
    /// It does not fail.
    public typealias Failure = Never
    /// The value.
    public let output: Output

    /// Creates a publisher of a value.
    public init(_ output: Output) { self.output = output }

    /// Delivers the value and the end.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        receiveValue(output)
        receiveCompletion(.finished)
        return AnyCancellable {}
    }
}
