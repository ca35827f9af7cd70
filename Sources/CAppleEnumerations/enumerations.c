// Only headers matter here; a C target needs one file to compile.
#include "AuthenticationEnumerations.h"
#include "ApplicationEnumerations.h"
#include "CredentialEnumerations.h"
#include "KeyEnumerations.h"
