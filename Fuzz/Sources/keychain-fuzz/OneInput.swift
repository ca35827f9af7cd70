import Glibc

/// The target of this process; found once.
private let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget.named(String(cString: $0)) }

/// What libFuzzer calls for every input: ends the process when a law is broken.
@_cdecl("keychain_fuzz_one_input")
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    do throws(BrokenLaw) {
        _ = try target?.run(bytes)
    } catch {
        print("Broken law: \(error.law)")
        fflush(nil)  // What is not written yet would be lost.
        abort()
    }
    return 0
}
