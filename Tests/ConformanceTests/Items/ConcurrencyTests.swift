import KeychainSimulator
import ModelTestSupport
import Security
import Synchronization
import TestSupport
import Testing

@Suite struct `Calls at the same time` {
    private static func item(_ thread: Int, _ number: Int) -> Attributes {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "thread \(thread)",
            kSecAttrAccount: "item \(number)",
        ]
    }

    /// Five calls; the item is there before, and has another value after.
    private static func round(_ thread: Int, _ number: Int) -> [OSStatus] {
        let item = item(thread, number)
        return [
            Items.add(item.holding("new")),
            Items.update(item, Attributes().holding("\(thread) \(number)")),
            Items.value(item) == "\(thread) \(number)" ? errSecSuccess : errSecDecode,
            Items.update(Self.item(0, -1), [kSecAttrLabel: "\(thread)"]),
            number.isMultiple(of: 2) ? Items.delete(item) : errSecSuccess,
        ]
    }

    @Test(.requirement("API-25"), .contradiction("thread-safety"))
    func `from 16 threads lose no update`() throws {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        let refusals = Mutex<[OSStatus]>([])
        app.run { _ = Items.add(Self.item(0, -1).holding("shared")) }
        // The 16 have to overlap: what runs fewer at a time would prove less.
        let finished = DispatchGroup()
        for thread in 0..<16 {
            finished.enter()
            Thread.detachNewThread {
                app.run {
                    for number in 0..<200 {
                        let refused = Self.round(thread, number).filter { $0 != errSecSuccess }
                        if !refused.isEmpty { refusals.withLock { $0 += refused } }
                    }
                }
                finished.leave()
            }
        }
        finished.wait()
        #expect(refusals.withLock { $0 } == [])
        app.run {
            let all = Items.find([
                kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: true, kSecReturnData: true,
            ]).dictionaries
            #expect(all.count == 16 * 100 + 1)
            let wrong = all.filter { item in
                let name = "\(item[.service] ?? "") \(item[.account] ?? "")"
                let value = (item[.valueData] as? Data).map { String(decoding: $0, as: UTF8.self) }
                let expected = name.replacing("thread ", with: "").replacing("item ", with: "")
                return expected != "0 -1" && value != expected
            }
            #expect(wrong.isEmpty)
            #expect(Items.value(Self.item(0, -1)) == "shared")
        }
    }

    /// What an app would write around the functions.
    private actor Wrapper {
        func save(_ text: String) -> OSStatus {
            let status = Items.update(.mail, Attributes().holding(text))
            guard status == errSecItemNotFound else { return status }
            return Items.add(.mail.holding(text))
        }

        func load() -> String? { Items.value(.mail) }
    }

    @Test func `can be ordered by an actor`() async throws {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        let wrapper = Wrapper()
        await app.run {
            await withTaskGroup(of: OSStatus.self) { group in
                for number in 0..<32 { group.addTask { await wrapper.save("\(number)") } }
                #expect(await group.allSatisfy { $0 == errSecSuccess })
            }
            #expect(await wrapper.save("last") == errSecSuccess)
            #expect(await wrapper.load() == "last")
            #expect(Items.count(.mail) == 1)
        }
    }

    @Test func `can be ordered by a serial queue`() async throws {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        let queue = DispatchQueue(label: "keychain")
        let status = await withCheckedContinuation { continuation in
            queue.async {
                let status = app.run { Items.add(.mail.holding("secret")) }
                continuation.resume(returning: status)
            }
        }
        #expect(status == errSecSuccess)
        let value = queue.sync { app.run { Items.value(.mail) } }
        #expect(value == "secret")
    }
}
