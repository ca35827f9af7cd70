/// Calls a function.
///
/// On Apple's platforms it also releases what the function autoreleased. Nothing is autoreleased
/// on Linux, so objects end without it.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
