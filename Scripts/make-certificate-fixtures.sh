#!/usr/bin/env bash
# Makes the certificates, keys and PKCS#12 files of the conformance tests anew, with OpenSSL 3 and
# a C compiler. The result is committed, so that the tests need neither. Every run makes new keys.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$PWD/Tests/ConformanceTests/Certificates
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >config <<'END'
[req]
distinguished_name = names
prompt = no
string_mask = nombstr
[unicode]
distinguished_name = names
prompt = no
string_mask = utf8only
[names]
[ca]
default_ca = authority
[authority]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
email_in_dn = yes
[any]
[plain]
basicConstraints = CA:FALSE
[authorityExtensions]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[serverExtensions]
basicConstraints = CA:FALSE
subjectKeyIdentifier = hash
extendedKeyUsage = serverAuth
subjectAltName = DNS:server.example.com,DNS:*.wild.example.com,IP:192.0.2.7
[clientExtensions]
basicConstraints = CA:FALSE
subjectKeyIdentifier = hash
extendedKeyUsage = clientAuth
subjectAltName = email:ada.lovelace@example.org
[namelessClientExtensions]
basicConstraints = CA:FALSE
subjectKeyIdentifier = hash
extendedKeyUsage = clientAuth
END
: >index

ec_key() { openssl ecparam -name "$2" -genkey -noout -out "$1.key"; }

# issue NAME KEY ISSUER SERIAL SUBJECT EXTENSIONS START END; an issuer "-" signs itself.
issue() {
    local signer=(-cert "$3.pem" -keyfile "$3.key")
    [[ $3 == - ]] && signer=(-selfsign -keyfile "$2.key")
    echo "$4" >serial
    openssl req -new -config config -key "$2.key" -subj "$5" -out "$1.csr"
    openssl ca -config config -batch -notext -preserveDN -in "$1.csr" -out "$1.pem" \
        "${signer[@]}" -extensions "$6" -startdate "$7" -enddate "$8" 2>ca.log || cat ca.log >&2
}

# named NAME SUBJECT [OPTIONS]: signed by itself; only its names matter.
named() {
    openssl req -new -x509 -config config -key small.key -subj "$2" -days 36500 -sha256 \
        -set_serial 7 -out "$1.pem" "${@:3}"
}

from=20200101000000Z
to=21200101000000Z
authority=authorityExtensions
company="/C=GB/O=Example Ltd"
for key in root otherRoot issuing server bob small; do ec_key $key prime256v1; done
ec_key ada prime256v1
openssl genrsa -out bob.key 2048 2>/dev/null
ec_key p384 secp384r1
ec_key p521 secp521r1
ec_key koblitz secp256k1
openssl genpkey -algorithm ed25519 -out ed25519.key

issue root root - 01 "/CN=Example Root" $authority $from $to
issue otherRoot otherRoot - 02 "/CN=Other Root" $authority $from $to
issue issuing issuing root 1001 "$company/CN=Example  Issuing" $authority $from $to
server="$company/CN=server.example.com"
# Servers' certificates from after July 2019 may not be valid for so long.
issue server server issuing D23456 "$server" serverExtensions 20190101000000Z $to
issue expired server issuing 2001 "$server" serverExtensions 20100101000000Z 20110101000000Z
issue future server issuing 2002 "$server" serverExtensions 21000101000000Z 21100101000000Z
ada="$company/CN=Ada Lovelace/emailAddress=ada@example.com"
issue ada ada issuing 3001 "$ada" clientExtensions $from $to
issue adaRenewed ada issuing 3002 "$ada" clientExtensions 20210301120000Z 20490101000000Z
issue bob bob issuing 3003 "$company/CN=Bob" namelessClientExtensions $from $to
issue misissued small server 4001 "/CN=misissued.example.com" plain $from $to
for key in p384 p521 ed25519 koblitz; do
    openssl req -new -x509 -config config -key $key.key -subj "/CN=$key" -days 36500 -out $key.pem
done

named described "/CN=Lathe/description=Workshop 3"
named addressed "/O=Example Ltd/emailAddress=desk@example.com" \
    -addext subjectAltName=email:front@example.com,DNS:front.example.com
named hosted "/O=Example Ltd" -addext subjectAltName=DNS:host.example.com,DNS:b.example.com
named organized "/O=Example Ltd/OU=Tools"
named unit "/OU=Tools/L=London"
named located "/C=GB/L=London"
named nameless "/"
named twice "/CN=Outer/CN=Inner"
named blanks "/CN=  ada   of  LOVElace "
named unicode "/CN=  zoë   of  Łódź " -section unicode -utf8 -nameopt utf8
openssl req -new -config config -key small.key -subj "/CN=Version 1" -out v1.csr
openssl x509 -req -in v1.csr -signkey small.key -days 36500 -set_serial 8 -out v1.pem 2>/dev/null

# pkcs12 NAME PASSWORD KEY CERTIFICATE OPTIONS
pkcs12() {
    openssl pkcs12 -export -passout "pass:$2" -inkey "$3.key" -in "$4.pem" -out "$1.p12" "${@:5}"
}
cat root.pem issuing.pem >scrambled.pem
pkcs12 modern "open sesame" ada ada -name "Ada's key" -certfile scrambled.pem
pkcs12 legacy "open sesame" ada ada -legacy -certfile scrambled.pem
pkcs12 tripleDES "open sesame" ada ada -legacy -descert
pkcs12 aes128 "open sesame" ada ada -keypbe AES-128-CBC -certpbe AES-128-CBC -macalg sha1
pkcs12 sha224 "open sesame" ada ada -macalg sha224
pkcs12 sha384 "open sesame" ada ada -macalg sha384
pkcs12 sha512 "open sesame" ada ada -macalg sha512
pkcs12 openCertificates "open sesame" ada ada -certpbe NONE
pkcs12 rsa "open sesame" bob bob
pkcs12 emptyPassword "" ada ada
pkcs12 unicodePassword "pässwörd €" ada ada
openssl pkcs12 -export -nokeys -passout "pass:open sesame" -in ada.pem -certfile scrambled.pem \
    -out certificatesOnly.p12
openssl pkcs12 -export -passout "pass:open sesame" -inkey bob.key -nocerts -out keyOnly.p12 2>/dev/null

cat >several.c <<'END'
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *in(const char *name, const char *suffix, char *mode) {
    char path[64];
    snprintf(path, sizeof path, "%s.%s", name, suffix);
    return fopen(path, mode);
}
static X509 *certificate(const char *name) {
    return PEM_read_X509(in(name, "pem", "r"), NULL, NULL, NULL);
}
static EVP_PKEY *key(const char *name) {
    return PEM_read_PrivateKey(in(name, "key", "r"), NULL, NULL, NULL);
}
/* several OUT (KEY CERTIFICATE[,CERTIFICATE] )...: the last certificate has the key's local id. */
int main(int count, char **words) {
    STACK_OF(PKCS12_SAFEBAG) *keys = NULL, *certificates = NULL;
    STACK_OF(PKCS7) *safes = NULL;
    for (int i = 2; i + 1 < count; i += 2) {
        unsigned char id = i;
        PKCS12_SAFEBAG *bag = PKCS12_add_key(&keys, key(words[i]), 0, 2048,
            NID_pbe_WithSHA1And3_Key_TripleDES_CBC, "open sesame");
        PKCS12_add_localkeyid(bag, &id, 1);
        PKCS12_SAFEBAG *last = NULL;
        for (char *name = strtok(words[i + 1], ","); name; name = strtok(NULL, ","))
            last = PKCS12_add_cert(&certificates, certificate(name));
        PKCS12_add_localkeyid(last, &id, 1);
    }
    PKCS12_add_safe(&safes, certificates, NID_pbe_WithSHA1And3_Key_TripleDES_CBC, 2048,
        "open sesame");
    PKCS12_add_safe(&safes, keys, -1, 0, NULL);
    PKCS12 *file = PKCS12_add_safes(safes, 0);
    PKCS12_set_mac(file, "open sesame", -1, NULL, 0, 2048, EVP_sha256());
    return i2d_PKCS12_fp(in(words[1], "p12", "w"), file) == 1 ? 0 : 1;
}
END
cc several.c -o several -lcrypto
./several twoIdentities ada ada,issuing bob bob
./several twoCertificates ada ada,adaRenewed

literal() { printf '\n    static let %s = Fixture(\n        """\n' "$1"
    base64 -w 88 "$2" | sed 's/^/        /'
    printf '        """\n    )\n'; }

open_file() {
    printf '%s\n' "// ★ Made by Scripts/make-certificate-fixtures.sh; these keys protect nothing." ""
    printf '%s\n' "/// $2" "enum $1 {"
}

{
    open_file Certificates "Certificates, made by OpenSSL, in DER." 
    for name in root otherRoot issuing server expired future ada adaRenewed bob misissued p384 \
        p521 ed25519 koblitz described addressed hosted organized unit located nameless twice \
        blanks unicode v1; do
        openssl x509 -in $name.pem -outform DER -out $name.der
        literal $name $name.der
    done
    echo "}"
} >"$target/Certificates.swift"

{
    open_file PrivateKeys "Private keys in their external representation."
    openssl ec -in ada.key -outform DER -out ada.sec1 2>/dev/null
    { tail -c 65 ada.sec1; tail -c +8 ada.sec1 | head -c 32; } >ada.raw
    literal ada ada.raw
    openssl rsa -in bob.key -traditional -outform DER -out bob.raw 2>/dev/null
    literal bob bob.raw
    echo "}"
} >"$target/PrivateKeys.swift"

{
    open_file PKCS12Files "PKCS#12 files, made by OpenSSL."
    for name in modern legacy tripleDES aes128 sha224 sha384 sha512 openCertificates rsa \
        emptyPassword unicodePassword certificatesOnly keyOnly twoIdentities twoCertificates; do
        literal $name $name.p12
    done
    echo "}"
} >"$target/PKCS12Files.swift"
