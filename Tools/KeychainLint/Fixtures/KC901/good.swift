import Foundation

func remember(_ settings: Settings) {
    UserDefaults.standard.set(settings.hasPassword, forKey: "hasPassword")
    UserDefaults.standard.set(true, forKey: "token")
    UserDefaults.standard.set(settings.keyboard, forKey: "keyboardLayout")
    UserDefaults.standard.set(settings.tokenExpiry, forKey: "tokenExpiryDate")
    UserDefaults.standard.set(settings.passwordLength, forKey: "passwordLength")
}
