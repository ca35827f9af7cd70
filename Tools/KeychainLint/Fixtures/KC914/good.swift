import Foundation
import Security

func message(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
