import UIKit

let key = Bundle.main.infoDictionary?["payment_api_key"] as? String  // expect
