import Security

struct Options {
    var accessible: CFString = kSecAttrAccessibleAlwaysThisDeviceOnly  // expect
}
