/// The text of `--help`, from which `Scripts/install.sh` makes a page of the manual.
enum FingerprintHelp {
    static let usage = "usage: keychain-fingerprint list|verify [USER]"
    static let text = """
        \(usage)

        Ask fprintd for a fingerprint. Programs that have a keychain start it, so that none of them
        has to speak D-Bus; people can start it, too. It has no secret.

          list    print the fingers that the user has enrolled: finger NAME, and then end
          verify  print touch and wait for a finger, print retry REASON if it has to be put there
                  again, then match NAME, no-match or absent
          --help  print this text

        Without USER it asks about the account that starts it. absent means that there is no reader,
        or that fprintd does not answer.
        Exit status: 0; 1 if fprintd does not answer; 2 for wrong usage.

        Example: keychain-fingerprint list
        """
}
