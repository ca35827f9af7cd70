import CFuzzDriver
import Glibc

// The target stands in the environment, not among the arguments: libFuzzer passes those on to the
// processes it starts for itself.
let requested = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""

guard let chosen = FuzzTarget.named(requested) else {
    let names = FuzzTarget.all.map(\.name)
    if requested == "list" {
        print(names.joined(separator: "\n"))
        exit(0)
    }
    print("FUZZ_TARGET is none of: list \(names.joined(separator: " "))")
    exit(2)
}
exit(cfuzz_run(CommandLine.argc, CommandLine.unsafeArgv))
