import Foundation
import KeychainHost
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

/// What a parent and its forked child do to the same keychain.
private enum Family {
    static func add(_ account: String) throws {
        let item: AttributeDictionary = [
            .itemClass: .string(.genericPassword), .account: .string(account),
            .service: .string("fork"),
            .valueData: .secret(SharedSecret(Secret(copying: Array(account.utf8)))),
        ]
        _ = try RequestRouter.endpoint().send(.add(item))
    }

    /// The secret of an account; nil when it is not found.
    static func find(_ account: String) throws -> String? {
        let query: AttributeDictionary = [
            .itemClass: .string(.genericPassword), .account: .string(account),
            .service: .string("fork"),
            .returnData: .bool(true),
        ]
        guard
            case .result(.data(let found)) = try RequestRouter.endpoint().send(.copyMatching(query))
        else { return nil }
        return String(decoding: found.secret.copyBytesUnprotected(), as: UTF8.self)
    }

    /// fork(2), which Swift's overlay hides.
    static func fork() throws -> pid_t {
        let symbol = try #require(dlsym(nil, "fork"))
        return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    }
}

@Suite struct `A forked child` {
    @Test(.requirement("STO-13"))
    func `opens the keychain for itself and shares it with its parent`() async {
        await #expect(processExitsWith: .success) {
            let home = FileManager.default.temporaryDirectory
                .appendingPathComponent("fork-" + UUID().uuidString)
            setenv("KEYCHAIN_HOME", home.path, 1)
            try Family.add("parent")
            let child = try Family.fork()
            if child == 0 {
                let isFound = (try? Family.find("parent")) == "parent"
                let isAdded = (try? Family.add("child")) != nil
                _exit(isFound && isAdded ? 0 : 1)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            try #require(status == 0)
            try #require(try Family.find("child") == "child")
            try Family.add("parent again")
            Litter.remove(home.path)
        }
    }
}
