import Glibc

exit(BenchmarkCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
