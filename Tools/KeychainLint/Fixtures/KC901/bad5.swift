import Foundation

struct Client {
    var secret: String? { UserDefaults.standard.string(forKey: "client_secret") }  // expect
    func header() -> String { "Basic " + (secret ?? "") }
}
