// What a shim includes if a header that it needs is not there; the compiler then names the header.
#error "Install the libraries that swift-keychain needs. On Debian and Ubuntu: sudo apt-get install libargon2-dev libcurl4-openssl-dev libidn2-dev libp11-kit-dev libpq-dev libpsl-dev libsqlite3-dev libssl-dev libsystemd-dev libtss2-dev pkg-config"
