import Foundation
import KeychainSync
import Synchronization
import TestSupport
import Testing

@testable import EtcdRelay
@testable import PostgreSQLRelay
@testable import RemoteRelay
@testable import SyncRelay

private let stream = RelayStage.name(7)
private let account = AccountName(unchecked: [UInt8](repeating: 9, count: 16))
private let place = RelayPlace(.postgreSQL, account, ["service=keychain"])

/// A frame with a count of its own.
private func frame(_ bytes: [UInt8], count: UInt32? = nil) -> [UInt8] {
    let count = count ?? UInt32(bytes.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + bytes
}

private let range: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 5]

/// What a process may write in place of a list of streams, and what is made of it.
private let answers: [(label: String, bytes: [UInt8], isDamage: Bool)] = [
    ("nothing", [], false),
    ("half a count", [0, 0], false),
    ("an empty frame", frame([]), true),
    ("a frame that is too large", frame([2], count: 24 << 20 + 1), true),
    ("a frame of 4 GiB", frame([2], count: .max), true),
    ("a frame that ends early", frame([2, 0], count: 1 << 20), false),
    ("an unknown kind", frame([11]), true),
    ("kind 0", frame([0]), true),
    ("the reply to another request", frame([4, 1]), true),
    ("done", frame([1]), true),
    ("a count without streams", frame([2, 0, 0, 0, 1]), true),
    ("too many streams", frame([2, 0, 4, 0, 1]), true),
    ("4 billion streams", frame([2, 255, 255, 255, 255]), true),
    ("bytes behind the end", frame([2, 0, 0, 0, 0, 0]), true),
    ("a stream without entries", frame([2, 0, 0, 0, 1] + stream.bytes + range.reversed()), true),
    (
        "a stream twice",
        frame([2, 0, 0, 0, 2] + stream.bytes + range + stream.bytes + range),
        true
    ),
    (
        "numbers that are too great",
        frame([2, 0, 0, 0, 1] + stream.bytes + [UInt8](repeating: 255, count: 7) + [1] + range),
        true
    ),
    ("a reason that is no text", frame([5, 0, 1, 0xFF]), true),
    ("a reason with a control character", frame([5, 0, 1, 0x1B]), true),
    ("a reason that is too long", frame([5, 0x10, 1] + [UInt8](repeating: 65, count: 4097)), true),
]

extension RelayError? {
    fileprivate var isUnreachable: Bool {
        if case .unreachable = self { true } else { false }
    }

    fileprivate var isDamage: Bool {
        if case .damaged = self { true } else { false }
    }
}

extension RelayChannel {
    /// Takes a request; nil at the end.
    fileprivate func request() -> RelayRequest? {
        guard let bytes = try? receive() else { return nil }
        return try? RelayRequest(bytes)
    }

    fileprivate func reply(_ reply: RelayReply) {
        guard let bytes = try? reply.bytes() else { return }
        try? send(bytes, until: .never)
    }
}

@Suite struct `A relay in another process` {
    @Test(arguments: answers) func `tells a wrong answer, and starts another process then`(
        label: String,
        bytes: [UInt8],
        isDamage: Bool
    ) throws {
        let launcher = ScriptedLauncher { channel in
            guard case .open = channel.request() else { return }
            channel.reply(.done)
            guard channel.request() == .streams else { return }
            try? channel.send(bytes: bytes, until: .never)
        }
        let relay = RemoteRelay(place, launcher)
        let failures = (0..<2).map { _ in
            relay.failure { relay throws(RelayError) in _ = try relay.streams() }
        }
        #expect(failures.allSatisfy { isDamage ? $0.isDamage : $0.isUnreachable }, "\(failures)")
        #expect(launcher.count.value == 2)
    }

    @Test(arguments: 0..<4) func `is out of reach when its process ends, and goes on with another`(
        step: Int
    ) throws {
        let isFirst = Mutex(true)
        let launcher = ScriptedLauncher { channel in
            let ends = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            var left = ends ? step : .max
            while left > 0, let request = channel.request() {
                left -= 1
                guard left > 0 else { return }
                channel.reply(request == .streams ? .streams([stream: 0..<1]) : .done)
                left -= 1
            }
        }
        let relay = RemoteRelay(place, launcher)
        let failures = (0..<3).map { _ in
            relay.failure { relay throws(RelayError) in _ = try relay.streams() }
        }
        #expect(failures[0].isUnreachable, "\(failures)")
        #expect(failures[1...].allSatisfy { $0 == nil })
        #expect(launcher.count.value == 2)
    }

    @Test func `waits no longer for an answer than its patience lasts`() throws {
        let launcher = ScriptedLauncher { channel in while channel.request() != nil {} }
        let relay = RemoteRelay(place, launcher, patience: .milliseconds(1))
        let failure = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
        #expect(failure == .unreachable("keychain-relay does not answer"))
    }

    @Test func `reports a change at first, without asking`() throws {
        let launcher = ScriptedLauncher { _ in }
        #expect(try RemoteRelay(place, launcher).waitForChange(upTo: .seconds(60)))
        #expect(launcher.count.value == 0)
    }

    @Test func `lets other calls in while it waits, and waits on`() throws {
        let requests = Mutex<[RelayRequest]>([])
        let hasBegun = DispatchSemaphore(value: 0)
        let launcher = ScriptedLauncher { channel in
            while let request = channel.request() {
                requests.withLock { $0.append(request) }
                switch request {
                case .streams: channel.reply(.streams([stream: 0..<1]))
                case .wait:
                    hasBegun.signal()
                    // Only a stop ends the first wait; the second one sees a change.
                    if requests.withLock({ $0.contains(.stop) }) { channel.reply(.changed(true)) }
                case .stop: channel.reply(.changed(false))
                default: channel.reply(.done)
                }
            }
        }
        let relay = RemoteRelay(place, launcher)
        _ = try relay.streams()
        let wait = Errand { try relay.waitForChange(upTo: .seconds(3600)) }
        hasBegun.wait()
        try relay.trim(stream, below: 1)
        #expect(try wait.value())
        let kinds = requests.withLock { $0 }.map { request in
            if case .wait = request { "wait" } else { "\(request)" }
        }
        #expect(
            kinds.dropFirst(2).map { String($0.prefix(4)) } == ["wait", "stop", "trim", "wait"]
        )
    }

    @Test(arguments: RelayPlace.Server.allCases) func `has the limits of its server`(
        server: RelayPlace.Server
    ) throws {
        let limit =
            switch server {
            case .postgreSQL: try PostgreSQLRelay("", account).entryByteCountLimit
            case .etcd: try EtcdRelay(EtcdPlace(["http://localhost"]), account).entryByteCountLimit
            }
        #expect(server.entryByteCountLimit == limit)
    }

    @Test func `gets the variables of relays alone`() {
        let given = ["PGHOST=a", "HOME=/", "ETCDCTL_KEY=k", "KEYCHAIN_ETCD_CREDENTIALS=c"]
        let kept = [
            "https_proxy=p", "LD_PRELOAD=l", "HOMER=h", "KEYCHAIN_HOME=k", "PATH=/", "KEYCHAIN_=x",
        ]
        #expect((given + kept).filter(RelayProgram.isOfRelays) == given)
    }

    @Test func `says which program is missing`() {
        let relay = RemoteRelay(place, RelayProgram(path: "/nonexistent/keychain-relay"))
        let failure = relay.failure { relay throws(RelayError) in try relay.prepare() }
        #expect(failure?.words.contains("/nonexistent/keychain-relay cannot be started") == true)
    }

    /// What a process may write in place of a link, and whether that is a wrong answer.
    private static let stored: [(label: String, reply: RelayReply, isDamage: Bool)] = [
        ("other bytes", .entries([[1]]), false), ("nothing", .entries([[]]), false),
        ("more bytes than a link has", .entries([[UInt8](repeating: 1, count: 1 << 17)]), false),
        ("no answer", .entries([]), true), ("two answers", .entries([[1], [2]]), true),
        ("done", .done, true), ("the places of links", .links([]), true),
    ]

    @Test(arguments: stored) func `is not believed what its process says of a link`(
        label: String,
        reply: RelayReply,
        isDamage: Bool
    ) throws {
        let launcher = ScriptedLauncher { channel in
            guard case .open = channel.request() else { return }
            channel.reply(.done)
            guard case .stored = channel.request() else { return }
            channel.reply(reply)
        }
        let relay = RemoteRelay(place, launcher)
        let link = try TestLink(3)
        let failure = relay.failure { relay throws(RelayError) in
            if try relay.link(at: link.place) != nil { throw .refused("it was believed") }
        }
        #expect(isDamage ? failure.isDamage : failure == nil, "\(String(describing: failure))")
    }

    @Test func `reports a change of links that an earlier process listed`() throws {
        let requests = Mutex<[RelayRequest]>([])
        let launcher = ScriptedLauncher { channel in
            while let request = channel.request() {
                requests.withLock { $0.append(request) }
                switch request {
                case .links: return channel.reply(.links([]))
                case .streams: channel.reply(.streams([:]))
                default: channel.reply(.done)
                }
            }
        }
        let relay = RemoteRelay(place, launcher)
        _ = try relay.links()
        let failure = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
        #expect(failure.isUnreachable)
        _ = try relay.streams()
        #expect(try relay.waitForChange(upTo: .seconds(3600)))
        #expect(requests.withLock { $0.last } == .streams)
    }
}
