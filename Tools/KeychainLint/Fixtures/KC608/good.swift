import Foundation

func finishMigration() throws {
    try keychainSave(Data("2".utf8), service: "app", account: "schema-version")
    UserDefaults.standard.set(true, forKey: "launchedBefore")
}
