import Foundation
import UIKit
import os

/// Moves tokens from the user's defaults to the keychain, each exactly once.
///
/// Each value is in both stores until the keychain has returned it unchanged. So a crash at any
/// place loses nothing, and the next launch goes on.
actor MigrationJournal {
    enum Outcome {
        case nothingToDo
        case moved(Int)
        case waiting
        case failed(any Error)
    }

    enum Failure: Error {
        case readBackDiffers(account: String)
        case unreadableArchive(path: String)
    }

    static let shared = MigrationJournal(store: TokenStore())

    private static let version = 2
    private let versionAccount = "schema-version"
    private let store: any TokenStoring

    init(store: any TokenStoring) { self.store = store }

    func resume() async -> Outcome {
        let isAvailable = await MainActor.run { UIApplication.shared.isProtectedDataAvailable }
        guard isAvailable else { return .waiting }
        do {
            let version = try storedVersion()
            guard version < Self.version else { return .nothingToDo }
            var count = 0
            if version < 1 { count += try moveDefaults(["accessToken", "refreshToken"]) }
            if version < 2 { count += try moveArchive() }
            try store.save(Data("\(Self.version)".utf8), account: versionAccount)
            return .moved(count)
        } catch {
            os_log(.error, log: .migration, "stopped: %{public}@", error.localizedDescription)
            return .failed(error)
        }
    }

    private func storedVersion() throws -> Int {
        guard let data = try store.read(account: versionAccount) else { return 0 }
        return Int(String(decoding: data, as: UTF8.self)) ?? 0
    }

    private func moveDefaults(_ keys: [String]) throws -> Int {
        let defaults = UserDefaults.standard
        var count = 0
        for key in keys {
            guard let value = defaults.string(forKey: key) else { continue }
            try move(Data(value.utf8), to: key)
            defaults.removeObject(forKey: key)
            count += 1
        }
        return count
    }

    private func moveArchive() throws -> Int {
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
        guard let file = documents.first?.appendingPathComponent("session.archive") else {
            return 0
        }
        guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
        let archive = try Data(contentsOf: file)
        let session = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: ArchivedSession.self,
            from: archive
        )
        guard let session else { throw Failure.unreadableArchive(path: file.path) }
        try move(JSONEncoder().encode(["user": session.user]), to: "session")
        try FileManager.default.removeItem(at: file)
        return 1
    }

    private func move(_ data: Data, to account: String) throws {
        try store.save(data, account: account)
        guard try store.read(account: account) == data else {
            throw Failure.readBackDiffers(account: account)
        }
    }
}

/// A session as the app's first version archived it.
final class ArchivedSession: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let user: String

    init?(coder: NSCoder) {
        guard let user = coder.decodeObject(of: NSString.self, forKey: "user") else { return nil }
        self.user = user as String
    }

    func encode(with coder: NSCoder) { coder.encode(user as NSString, forKey: "user") }
}

extension OSLog {
    fileprivate static let migration = OSLog(
        subsystem: Bundle.main.bundleIdentifier ?? "com.example.mail",
        category: "migration"
    )
}
