import Foundation

func session(_ file: String) -> Any? {
    NSKeyedUnarchiver.unarchiveObject(withFile: file)  // expect
}

func open(_ unarchiver: NSKeyedUnarchiver) {
    unarchiver.requiresSecureCoding = false  // expect
}
