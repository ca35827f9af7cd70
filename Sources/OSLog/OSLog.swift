// Apple's module name, for code that must compile unmodified.
@_exported import os
