#!/usr/bin/env bash
# Makes these files anew with OpenSSL 3; the tests need them as they are committed.
set -euo pipefail
cd "$(dirname "$0")"

new_key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

new_key ca.key
openssl req -x509 -new -key ca.key -sha256 -days 36500 -out ca.pem \
    -subj "/O=Example/CN=Example Root" -set_serial 1 \
    -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign"

new_key leaf-pkcs8.pem
openssl req -new -key leaf-pkcs8.pem -subj "/O=Example/CN=Alice Example" -out leaf.csr
printf '%s\n' "subjectAltName=email:alice@example.com,DNS:alice.example.com" \
    "extendedKeyUsage=clientAuth" >leaf.ext
openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -set_serial 4660 -sha256 -days 36500 \
    -extfile leaf.ext -out leaf.pem
openssl x509 -in leaf.pem -outform DER -out leaf.der
openssl ec -in leaf-pkcs8.pem -out leaf-sec1.pem
openssl pkcs8 -topk8 -in leaf-pkcs8.pem -passout pass:sesame -iter 1000 -out leaf-encrypted.pem
openssl ec -in leaf-pkcs8.pem -aes128 -passout pass:sesame -out leaf-traditional.pem
openssl pkcs12 -export -inkey leaf-pkcs8.pem -in leaf.pem -certfile ca.pem -name "Alice's key" \
    -passout pass:sesame -iter 1000 -out leaf.p12
openssl pkcs12 -export -inkey leaf-pkcs8.pem -in leaf.pem -passout pass: -iter 1000 -out empty.p12

new_key signer.key
openssl req -x509 -new -key signer.key -sha256 -days 36500 -out signer.pem -set_serial 3 \
    -subj "/O=Example/CN=Developer ID Application: Example" \
    -addext "extendedKeyUsage=codeSigning" -addext "keyUsage=critical,digitalSignature"
openssl pkcs12 -export -inkey signer.key -in signer.pem -passout pass:sesame -iter 1000 -out signer.p12

message() { openssl cms "$1" -binary -in profile.plist "${@:2}"; }
cat >profile.plist <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>Name</key><string>Example profile</string></dict></plist>
END
signer=(-signer signer.pem -inkey signer.key)
message -sign -nodetach "${signer[@]}" -outform DER -out profile.mobileprovision
message -sign -nodetach "${signer[@]}" -outform PEM -out profile.pem
message -sign "${signer[@]}" -outform DER -out detached.cms
message -encrypt -outform DER -out encrypted.cms leaf.pem
sed 's/Example profile/Exampel profile/' profile.mobileprovision >damaged.mobileprovision

{
    openssl x509 -in leaf.pem -noout -subject
    cat leaf.pem ca.pem leaf-sec1.pem
    printf -- '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n'
} >bundle.pem

openssl genrsa -traditional -out rsa-pkcs1.pem 1024
openssl pkcs8 -topk8 -nocrypt -in rsa-pkcs1.pem -outform DER -out rsa-pkcs8.der
openssl rsa -in rsa-pkcs1.pem -pubout -out rsa-public.pem
openssl rsa -in rsa-pkcs1.pem -RSAPublicKey_out -outform DER -out rsa-pkcs1-public.der
openssl genpkey -algorithm ED25519 -out ed25519.pem

head -c 100 leaf.p12 >damaged.p12
sed '3s/./*/' leaf-pkcs8.pem >damaged-key.pem
sed '$d' leaf.pem >unfinished.pem
{
    cat leaf.pem
    printf -- '-----BEGIN PRIVATE KEY-----\nMAUCAQAEAA==\n-----END PRIVATE KEY-----\n'
} >half-damaged.pem
printf 'nothing to import\n' >garbage.txt
printf '0123456789abcdef' >session.key
rm ca.key signer.key leaf.csr leaf.ext
