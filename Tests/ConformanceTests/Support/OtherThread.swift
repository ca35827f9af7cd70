import Foundation
import Testing

/// A way to run code where no app of a simulated device is inherited.
enum OtherThread: String, CaseIterable, Sendable {
    case dispatchQueue, operationQueue, thread, detachedTask

    /// Runs the work there and waits for it.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        if self == .detachedTask { return await Task.detached(operation: work).value }
        return await withCheckedContinuation { continuation in
            let answer: @Sendable () -> Void = { continuation.resume(returning: work()) }
            switch self {
            case .operationQueue: OperationQueue().addOperation(answer)
            case .thread: Thread.detachNewThread(answer)
            case .dispatchQueue, .detachedTask: DispatchQueue.global().async(execute: answer)
            }
        }
    }
}

/// A directory for everything that a process would take for its user's own.
struct PersonalHome {
    let path = FileManager.default.temporaryDirectory.path + "/person-" + UUID().uuidString

    /// Gives it to this process, with no variable set that names a keychain.
    static func adopt(_ path: String) {
        for name in ["KEYCHAIN_HOME", "KEYCHAIN_SOCKET", "KEYCHAIN_DIAGNOSTICS"] { unsetenv(name) }
        for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] { setenv(name, path, 1) }
    }

    /// The files in it, by name.
    static func files(_ path: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: path)
        return (names?.compactMap { $0 as? String } ?? []).sorted()
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
