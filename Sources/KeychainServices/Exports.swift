// On Apple's platforms `import Security` brings Core Foundation, and nearly all client code has
// Foundation too; wrappers that import only this module rely on both.
// Its enumerations are C's, so that they take any number.
@_exported import CAppleEnumerations.Keys
@_exported import CoreFoundation
@_exported import Foundation
