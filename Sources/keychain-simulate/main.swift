import Foundation
import KeychainCommand
import Secrets
import SimulationCommand

CoreDump.exclude()
exit(Invocation.runCompanion("simulate", SimulateCommand.run))
