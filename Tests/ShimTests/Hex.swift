import Foundation

/// The bytes of hexadecimal digits.
func bytes(_ hex: String) -> Data {
    let digits = Array(hex.filter { !$0.isWhitespace })
    return Data(
        stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    )
}

func text(_ message: String) -> Data { Data(message.utf8) }
