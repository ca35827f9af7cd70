import Security

func policy(_ host: String) -> SecPolicy { SecPolicyCreateSSL(true, host as CFString) }
