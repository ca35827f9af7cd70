import Foundation
import KeychainCommand
import SimulationCommand

exit(Invocation.runCompanion("simulate", SimulateCommand.run))
