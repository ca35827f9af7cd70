import Combine
import KeychainSimulator
import Testing
import UIKit

private final class Session: ObservableObject {
    @Published var name = "ada"
    @Published var count = 0
}

@Suite struct `A publisher` {
    @Test func `delivers what is sent after the subscription, until it is canceled`() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        subject.send(1)
        let subscription = subject.filter { $0 > 1 }.map { $0 * 10 }.sink { values.append($0) }
        subject.send(1)
        subject.send(2)
        subscription.cancel()
        subject.send(3)
        #expect(values == [20])
    }

    @Test func `delivers its latest value first`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        subject.value = 2
        var values: [Int] = []
        let subscription = subject.eraseToAnyPublisher().sink { values.append($0) }
        subject.send(3)
        #expect(values == [2, 3])
        subject.send(completion: .finished)
        subject.send(4)
        #expect(values == [2, 3])
        #expect(subject.value == 3)
        subscription.cancel()
    }

    @Test func `ends with an error once, for those who come later too`() {
        struct Failure: Error, Equatable {}
        let subject = PassthroughSubject<Int, Failure>()
        var ends: [Subscribers.Completion<Failure>] = []
        let early = subject.sink(receiveCompletion: { ends.append($0) }, receiveValue: { _ in })
        subject.send(completion: .failure(Failure()))
        subject.send(completion: .finished)
        let late = subject.sink(receiveCompletion: { ends.append($0) }, receiveValue: { _ in })
        #expect(ends == [.failure(Failure()), .failure(Failure())])
        early.cancel()
        late.cancel()
    }

    @Test func `ends with its subscription`() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        var subscriptions: Set<AnyCancellable> = []
        subject.sink { values.append($0) }.store(in: &subscriptions)
        subject.send(1)
        subscriptions = []
        subject.send(2)
        #expect(values == [1])
    }

    @Test func `announces a change before the property has it`() {
        let session = Session()
        var seen: [String] = []
        let change = session.objectWillChange.sink { seen.append(session.name) }
        var names: [String] = []
        let name = session.$name.sink { names.append($0) }
        session.name = "bob"
        session.count += 1
        #expect(seen == ["ada", "bob"])
        #expect(names == ["ada", "bob"])
        change.cancel()
        name.cancel()
    }
}
