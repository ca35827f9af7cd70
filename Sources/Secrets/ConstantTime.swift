/// Returns whether both contain the same bytes, in time that depends only on their sizes.
///
/// Sizes are not secret: different sizes return false at once.
package func constantTimeEquals(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    constantTimeEquals(first[...], second[...])
}

/// Returns whether both contain the same bytes, in time that depends only on their sizes.
///
/// Sizes are not secret: different sizes return false at once.
package func constantTimeEquals(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    return first.withUnsafeBytes { mine in
        second.withUnsafeBytes { theirs in accumulatedDifference(mine, theirs) == 0 }
    }
}

/// Combines the differences of all byte pairs into one byte.
///
/// It is not inlined, so that a caller's knowledge of the bytes cannot shorten the loop.
///
/// - Parameters:
///   - first: The bytes of one side.
///   - second: As many bytes of the other side.
/// - Returns: 0 if all pairs are equal, and only then.
@inline(never)
func accumulatedDifference(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer
) -> UInt8 {
    precondition(first.count == second.count, "Only equally long byte runs can be compared.")
    var difference: UInt8 = 0
    for index in first.indices {
        difference |= first[index] ^ second[index]
    }
    return difference
}
