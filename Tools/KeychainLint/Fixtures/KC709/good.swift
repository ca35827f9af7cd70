let entitlements = """
    <key>keychain-access-groups</key>
    <array><string>$(AppIdentifierPrefix)org.example.shared</string></array>
    """
