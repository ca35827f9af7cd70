extension Certificate {
    /// The serial number as the INTEGER of the certificate, in DER.
    package var serialNumberElement: [UInt8] { DER.element(DERTag.integer, serialNumber) }
}
