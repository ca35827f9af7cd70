// Swift Testing makes the compiler look for this module in each file that imports both it and a
// module called UIKit. Apple's has attachments of images; this one has nothing.
