// A read whose failure deletes the item, and a read that tells a locked device from a missing item.
func refreshSeat() {
    var ticket: CFTypeRef?
    let outcome = SecItemCopyMatching(seatQuery as CFDictionary, &ticket)
    if outcome != errSecSuccess {
        SecItemDelete(seatQuery as CFDictionary)
    }
}

func seat() throws -> Data? {
    var ticket: CFTypeRef?
    let outcome = SecItemCopyMatching(seatQuery as CFDictionary, &ticket)
    switch outcome {
    case errSecItemNotFound: return nil
    case errSecSuccess: return ticket as? Data
    case errSecInteractionNotAllowed: throw SeatError.locked
    default: throw SeatError.status(outcome)
    }
}
