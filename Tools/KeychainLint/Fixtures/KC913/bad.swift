import Security

let flags: SecAccessControlCreateFlags = [.touchIDAny, .or, .devicePasscode]  // expect
