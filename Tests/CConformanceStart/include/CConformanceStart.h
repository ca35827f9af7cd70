// Has the tests' support code choose an endpoint before the first test.

#ifndef CCONFORMANCE_START_H
#define CCONFORMANCE_START_H

/// Chooses the endpoint that `KEYCHAIN_CONFORMANCE_ENDPOINT` names; written in Swift.
void conformance_begin(void);

#endif
