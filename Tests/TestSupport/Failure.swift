/// What a call throws; nil where it returns.
package func failure<Value: ~Copyable>(of call: () throws -> Value) -> (any Error)? {
    do {
        _ = try call()
        return nil
    } catch {
        return error
    }
}
