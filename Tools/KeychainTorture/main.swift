import Glibc

exit(TortureCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
