import Foundation
import KeychainCommand
import Secrets

CoreDump.exclude()
exit(Invocation.runCompanion("simulate", SimulateCommand.run))
