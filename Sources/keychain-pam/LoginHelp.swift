/// The text of `--help`, from which `Scripts/install.sh` makes a page of the manual.
enum LoginHelp {
    static let text = """
        usage: keychain-pam unlock|change [SOCKET]

        Give the login password to the keychain daemon. The PAM module pam_keychain.so starts it,
        with the rights of the account that logs in. It reads the passwords from standard input,
        each behind its length, which is a number of four bytes.

          unlock  unlock the keychain with the password
          change  read the old password and the new one, and change the passcode
          --help  print this text

        SOCKET is where the daemon listens. An installed program ignores it: it speaks to the daemon
        of this machine alone.
        Exit status: 0 if it is done or there is nothing to do; 1 if it failed; 2 for wrong usage; \
        3 if no daemon answers; 4 if the keychain has another passcode; 5 after too many wrong ones.
        """
}
