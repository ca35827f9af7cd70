import UIKit

enum DeviceState { static let isUnlocked = UIApplication.shared.isProtectedDataAvailable }  // expect
