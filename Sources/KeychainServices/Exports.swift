// On Apple's platforms `import Security` brings Core Foundation, and nearly all client code has
// Foundation too; wrappers that import only this module rely on both.
@_exported import CoreFoundation
@_exported import Foundation
