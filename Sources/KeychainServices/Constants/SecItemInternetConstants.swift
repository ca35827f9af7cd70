import CoreFoundation

// Values of `kSecAttrProtocol` and `kSecAttrAuthenticationType`. Trailing blanks are significant.

/// FTP.
nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = ConstantString("ftp ")
/// FTP, the account password.
nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = ConstantString("ftpa")
/// HTTP.
nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = ConstantString("http")
/// IRC.
nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = ConstantString("irc ")
/// NNTP.
nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = ConstantString("nntp")
/// POP3.
nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = ConstantString("pop3")
/// SMTP.
nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = ConstantString("smtp")
/// SOCKS.
nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = ConstantString("sox ")
/// IMAP.
nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = ConstantString("imap")
/// LDAP.
nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = ConstantString("ldap")
/// AFP over AppleTalk.
nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = ConstantString("atlk")
/// AFP over TCP.
nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = ConstantString("afp ")
/// Telnet.
nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = ConstantString("teln")
/// SSH.
nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = ConstantString("ssh ")
/// FTP over TLS.
nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = ConstantString("ftps")
/// HTTP over TLS.
nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = ConstantString("htps")
/// An HTTP proxy.
nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = ConstantString("htpx")
/// An HTTPS proxy.
nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = ConstantString("htsx")
/// An FTP proxy.
nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = ConstantString("ftpx")
/// SMB.
nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = ConstantString("smb ")
/// RTSP.
nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = ConstantString("rtsp")
/// An RTSP proxy.
nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = ConstantString("rtsx")
/// DAAP.
nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = ConstantString("daap")
/// Remote Apple events.
nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = ConstantString("eppc")
/// IPP.
nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = ConstantString("ipp ")
/// NNTP over TLS.
nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = ConstantString("ntps")
/// LDAP over TLS.
nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = ConstantString("ldps")
/// Telnet over TLS.
nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = ConstantString("tels")
/// IMAP over TLS.
nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = ConstantString("imps")
/// IRC over TLS.
nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = ConstantString("ircs")
/// POP3 over TLS.
nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = ConstantString("pops")

/// NTLM.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = ConstantString("ntlm")
/// The authentication scheme of the Microsoft Network.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = ConstantString("msna")
/// Distributed password authentication.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = ConstantString("dpaa")
/// Remote password authentication.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = ConstantString("rpaa")
/// HTTP basic authentication.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = ConstantString(
    "http"
)
/// HTTP digest authentication.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = ConstantString(
    "httd"
)
/// A form on a web page.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = ConstantString("form")
/// The usual authentication scheme of the protocol.
nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = ConstantString("dflt")
