import Glibc

exit(FileSpeed(CommandLine.arguments).run())
