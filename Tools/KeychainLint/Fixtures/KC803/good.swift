import Security

func message(_ status: OSStatus) -> String? {
    SecCopyErrorMessageString(status, nil) as String?
}
