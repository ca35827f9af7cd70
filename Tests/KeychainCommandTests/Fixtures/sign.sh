# What workflows for macOS do before they sign: the usual commands in the usual order.
set -e
KEYCHAIN_PATH=$RUNNER_TEMP/app-signing.keychain-db
security create-keychain -p "$KEYCHAIN_PASSWORD" "$KEYCHAIN_PATH"
security set-keychain-settings -lut 21600 "$KEYCHAIN_PATH"
security unlock-keychain -p "$KEYCHAIN_PASSWORD" "$KEYCHAIN_PATH"
security import "$CERTIFICATE_PATH" -P "$P12_PASSWORD" -A -t cert -f pkcs12 -k "$KEYCHAIN_PATH"
security set-key-partition-list -S apple-tool:,apple: -s -k "$KEYCHAIN_PASSWORD" "$KEYCHAIN_PATH"
security list-keychain -d user -s "$KEYCHAIN_PATH"
security default-keychain -s "$KEYCHAIN_PATH"
security find-identity -v -p codesigning "$KEYCHAIN_PATH"
KEYCHAIN_HOME=$KEYCHAIN_PATH security find-identity -v -p codesigning
security find-identity -v -p codesigning
security lock-keychain "$KEYCHAIN_PATH"
security unlock-keychain -p wrong "$KEYCHAIN_PATH" || echo "refused: $?"
security delete-keychain "$KEYCHAIN_PATH"
security find-identity "$KEYCHAIN_PATH" || echo "gone: $?"
