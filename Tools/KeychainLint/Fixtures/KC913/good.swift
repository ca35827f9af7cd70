import Security

let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]
