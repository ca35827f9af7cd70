// pam_keychain.so is a PAM module: libpam finds its functions by name, so nothing is declared here.

#ifndef PAM_KEYCHAIN_H
#define PAM_KEYCHAIN_H

#endif
