import UIKit

let name = Bundle.main.infoDictionary?["CFBundleName"] as? String
