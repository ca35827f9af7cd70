import Secrets
CoreDump.exclude()
