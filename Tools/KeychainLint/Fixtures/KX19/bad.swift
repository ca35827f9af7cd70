import Security

let policy = SecPolicyCreateSSL(true, nil)  // expect
