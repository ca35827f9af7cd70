#!/usr/bin/env bash
# Makes the keys of the tests anew: Fixtures/*, with ssh-keygen. They protect nothing.
set -euo pipefail
cd "$(dirname "$0")/Fixtures"
rm -f -- *

# key NAME TYPE BITS: a pair.
key() { ssh-keygen -q -t "$2" -b "$3" -N '' -C "$1" -f "$1"; }

key ed25519 ed25519 256
key p256 ecdsa 256
key p384 ecdsa 384
key p521 ecdsa 521
key rsa rsa 2048
key authority ed25519 256
ssh-keygen -q -t ed25519 -N 'secret' -C encrypted -f encrypted
ssh-keygen -q -t dsa -N '' -C dsa -f dsa
for name in ed25519 p256 rsa; do
    ssh-keygen -q -s authority -I "$name" -n ada,grace -V always:forever "$name.pub"
done
cp ed25519.pub host.pub
ssh-keygen -q -s authority -I host -h -n shop.example.org -V 20200101:20400101 host.pub
for name in ed25519 p256 p384 p521 rsa; do
    printf 'hello\n' | ssh-keygen -q -Y sign -n file -f "$name" >"$name.sig"
done
