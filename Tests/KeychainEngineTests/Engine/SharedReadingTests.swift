import Foundation
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `Searches side by side` {
    private let home: TestHome
    private let keychain: TestKeychain

    init() throws {
        home = try TestHome()
        keychain = try home.open()
        for number in 0..<20 { keychain.add(password("account \(number)"), "value \(number)") }
    }

    /// Eight threads read 200 values each.
    private func readings() -> Set<Reading> {
        let found = Mutex<Set<Reading>>([])
        let keychain = keychain
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<200 {
                let reading = keychain.read(password("account \((thread + number) % 20)"))
                found.withLock { _ = $0.insert(reading) }
            }
        }
        return found.withLock { $0 }
    }

    @Test func `find what is there, each its own`() {
        #expect(readings() == Set((0..<20).map { Reading.value("value \($0)") }))
    }

    @Test func `see what was written just before, by this process or another`() throws {
        let other = try home.open()
        #expect(other.read(password("account 1")) == .value("value 1"))
        keychain.update(password("account 1"), "new")
        #expect(keychain.read(password("account 1")) == .value("new"))
        #expect(other.read(password("account 1")) == .value("new"))
        other.delete(password("account 1"))
        #expect(keychain.read(password("account 1")) == .notFound)
    }

    @Test func `are remembered when they miss`() throws {
        #expect(keychain.read(password("account 1", ["labl": .string("none")])) == .notFound)
        #expect(keychain.add(password("account 1")) == .duplicateItem)
    }

    @Test func `find nothing any more once locking has returned`() throws {
        let engine = keychain.endpoint.engine
        let passcode = EngineFixture.secret("1234")
        try engine.setPasscode(passcode, current: nil)
        let isLocked = Atomic(false)
        let late = Mutex<Set<Reading>>([])
        let early = Mutex<Set<Reading>>([])
        let keychain = keychain
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            if thread == 4 {
                try? engine.lock()
                isLocked.store(true, ordering: .sequentiallyConsistent)
                return
            }
            for number in 0..<200 {
                let wasLocked = isLocked.load(ordering: .sequentiallyConsistent)
                let reading = keychain.read(password("account \(number % 20)"))
                if wasLocked {
                    late.withLock { _ = $0.insert(reading) }
                } else {
                    early.withLock { _ = $0.insert(reading) }
                }
            }
        }
        let allowed = Set((0..<20).map { Reading.value("value \($0)") } + [.notAllowed])
        #expect(early.withLock { $0 }.isSubset(of: allowed))
        #expect(late.withLock { $0 }.isSubset(of: [.notAllowed]))
        #expect(keychain.read(password("account 1")) == .notAllowed)
        try engine.unlock(passcode: passcode)
        #expect(keychain.read(password("account 1")) == .value("value 1"))
    }
}

@Suite struct `A lock of many readers` {
    @Test func `gives each change the value alone, and readers no half of one`() {
        let lock = ReadersLock((first: 0, second: 0))
        let halves = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<500 {
                if thread < 2 {
                    lock.withLock { value in
                        value.first += 1
                        value.second += 1
                    }
                } else {
                    let isHalf = lock.withSharedLock { $0.first != $0.second }
                    if isHalf { halves.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(halves.load(ordering: .relaxed) == 0)
        #expect(lock.withSharedLock { $0.first } == 1000)
    }

    @Test func `hands on what its body throws, and is free afterwards`() {
        let lock = ReadersLock(1)
        #expect(throws: StoreError.duplicate) {
            try lock.withLock { _ throws(StoreError) in throw .duplicate }
        }
        #expect(throws: StoreError.duplicate) {
            try lock.withSharedLock { _ throws(StoreError) in throw .duplicate }
        }
        #expect(lock.withLock { $0 } == 1)
    }
}
