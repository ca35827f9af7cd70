import Foundation

exit(LedgerCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
