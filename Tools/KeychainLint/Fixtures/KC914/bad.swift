import Foundation  // expect

func message(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
