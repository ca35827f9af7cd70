import Secrets

CoreDump.exclude()
