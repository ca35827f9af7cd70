import Foundation
import Glibc
import KeychainSockets
import KeychainSync
import Synchronization
import Testing

@testable import RemoteRelay
@testable import SyncRelay

/// The directory that has the programs and these tests.
let productsPath: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent
}()
/// The program that serves relays.
let relayProgramPath = productsPath + "/keychain-relay"

/// Serves relays on threads of this process.
struct ThreadLauncher: RelayLauncher {
    let opening: RelayService.Opening

    init(_ opening: @escaping RelayService.Opening) { self.opening = opening }

    func launch() throws(RelayError) -> RelayPeer {
        do throws(SocketError) {
            let opening = opening
            return try UnixStream.Pair().divide { own, other in
                let service = RelayService(other, opening: opening)
                Thread.detachNewThread { service.run() }
                return RelayPeer(own)
            }
        } catch { throw .unreachable(error.words) }
    }
}

/// Takes each request, and answers what a test wants.
struct ScriptedLauncher: RelayLauncher {
    /// What to do with the connection; called on a thread of its own, which then closes it.
    let script: @Sendable (RelayChannel) -> Void
    /// How often a process was started.
    let count = Counter()

    init(_ script: @escaping @Sendable (RelayChannel) -> Void) { self.script = script }

    func launch() throws(RelayError) -> RelayPeer {
        count.add()
        do throws(SocketError) {
            let script = script
            return try UnixStream.Pair().divide { own, other in
                let channel = RelayChannel(other)
                Thread.detachNewThread {
                    script(channel)
                    channel.end()
                }
                return RelayPeer(own)
            }
        } catch { throw .unreachable(error.words) }
    }

    /// Counts what several threads do.
    final class Counter: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }

        func add() { number.withLock { $0 += 1 } }
    }
}
