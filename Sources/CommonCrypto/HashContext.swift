import Cryptography

/// A number of 32 bits, such as the size of a part of a message.
public typealias CC_LONG = UInt32
/// A number of 64 bits.
public typealias CC_LONG64 = UInt64

/// A structure that keeps an unfinished message.
protocol HashContext {
    var state: HashState { get set }
    init()
}

/// Begins a message; the memory may be anything before.
func begin<Context: HashContext>(
    _ context: UnsafeMutablePointer<Context>?,
    _ function: HashState.Function
) -> Int32 {
    guard let context else { return 0 }
    context.initialize(to: Context())
    return context.pointee.state.start(function) ? 1 : 0
}

/// Appends bytes to a message.
func append<Context: HashContext>(
    _ data: UnsafeRawPointer?,
    _ count: CC_LONG,
    _ context: UnsafeMutablePointer<Context>?,
    _ function: HashState.Function
) -> Int32 {
    guard let context else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(count))
    return context.pointee.state.update(function, bytes) ? 1 : 0
}

/// Ends a message and writes its hash.
func end<Context: HashContext>(
    _ hash: UnsafeMutablePointer<UInt8>?,
    _ context: UnsafeMutablePointer<Context>?,
    _ function: HashState.Function
) -> Int32 {
    guard let context, let hash else { return 0 }
    let room = UnsafeMutableRawBufferPointer(start: hash, count: function.byteCount)
    return context.pointee.state.finish(function, into: room) ? 1 : 0
}

/// Writes the hash of a message, and returns where.
func hash(
    _ data: UnsafeRawPointer?,
    _ count: CC_LONG,
    _ hash: UnsafeMutablePointer<UInt8>?,
    _ function: HashState.Function
) -> UnsafeMutablePointer<UInt8>? {
    guard let hash else { return nil }
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(count))
    let room = UnsafeMutableRawBufferPointer(start: hash, count: function.byteCount)
    var state = HashState()
    guard state.start(function), state.update(function, bytes), state.finish(function, into: room)
    else { return nil }
    return hash
}
