import Foundation

/// A publisher of the values that you send.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Delivers a value.
    func send(_ value: Output)
    /// Ends the subject.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Delivers an event without a value.
    public func send() { send(()) }
}

/// The subscribers of a subject, whose closures run without its lock.
private final class Subscriptions<Output, Failure: Error> {
    typealias Completion = Subscribers.Completion<Failure>

    private struct Subscriber {
        let value: (Output) -> Void
        let completion: (Completion) -> Void
    }

    private let lock = NSLock()
    private var subscribers: [(number: Int, subscriber: Subscriber)] = []
    private var lastNumber = 0
    private var end: Completion?
    private var current: Output?

    init(_ current: Output?) { self.current = current }

    var value: Output? { lock.withLock { current } }

    // Later subscribers start with a value that is kept.
    func send(_ value: Output, keeps: Bool) {
        let receivers: [Subscriber] = lock.withLock {
            guard end == nil else { return [] }
            if keeps { current = value }
            return subscribers.map(\.subscriber)
        }
        for receiver in receivers { receiver.value(value) }
    }

    func finish(_ completion: Completion) {
        let receivers: [Subscriber] = lock.withLock {
            guard end == nil else { return [] }
            end = completion
            defer { subscribers = [] }
            return subscribers.map(\.subscriber)
        }
        for receiver in receivers { receiver.completion(completion) }
    }

    func add(
        _ completion: @escaping (Completion) -> Void,
        _ value: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let subscriber = Subscriber(value: value, completion: completion)
        let (number, first, end) = lock.withLock {
            lastNumber += 1
            if self.end == nil { subscribers.append((lastNumber, subscriber)) }
            return (lastNumber, self.end == nil ? current : nil, self.end)
        }
        if let first { value(first) }
        if let end { completion(end) }
        return AnyCancellable { [self] in
            lock.withLock { subscribers.removeAll { $0.number == number } }
        }
    }
}

/// A subject that delivers a value to earlier subscribers only.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let subscriptions = Subscriptions<Output, Failure>(nil)

    /// Creates a subject.
    public init() {}

    /// Delivers a value.
    public func send(_ value: Output) { subscriptions.send(value, keeps: false) }

    /// Ends the subject.
    public func send(completion: Subscribers.Completion<Failure>) {
        subscriptions.finish(completion)
    }

    /// Delivers values and the end to closures.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable { subscriptions.add(receiveCompletion, receiveValue) }
}

/// A subject that delivers its latest value first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let subscriptions: Subscriptions<Output, Failure>
    private let first: Output

    /// Creates a subject with its first value.
    public init(_ value: Output) {
        first = value
        subscriptions = Subscriptions(value)
    }

    /// The latest value; a new one is delivered.
    public var value: Output {
        get { subscriptions.value ?? first }
        set { send(newValue) }
    }

    /// Delivers a value and keeps it.
    public func send(_ value: Output) { subscriptions.send(value, keeps: true) }

    /// Ends the subject.
    public func send(completion: Subscribers.Completion<Failure>) {
        subscriptions.finish(completion)
    }

    /// Delivers values and the end to closures.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable { subscriptions.add(receiveCompletion, receiveValue) }
}
