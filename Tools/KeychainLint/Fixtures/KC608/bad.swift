import Foundation

func finishMigration() throws {
    try keychainSave(Data("2".utf8), service: "app", account: "probe")
    UserDefaults.standard.set(2, forKey: "schemaVersion")  // expect
}
