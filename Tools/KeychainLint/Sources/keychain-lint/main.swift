#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

exit(LintCommand.run(Array(CommandLine.arguments.dropFirst())))
