/// Calls a function.
///
/// On Apple's platforms it also releases objects that the function autoreleased. There is no
/// autorelease on Linux, so objects end without it.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
