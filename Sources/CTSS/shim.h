#ifndef CTSS_SHIM_H
#define CTSS_SHIM_H

#if !__has_include(<tss2/tss2_esys.h>)
#include "../missing-libraries.h"
#endif
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>

// Nothing is linked: the libraries are loaded when a TPM is used, and these are the types of what
// is looked up in them.
typedef __typeof__(&Tss2_TctiLdr_Initialize) ctss_tctildr_initialize;
typedef __typeof__(&Tss2_TctiLdr_Finalize) ctss_tctildr_finalize;
typedef __typeof__(&Esys_Initialize) ctss_initialize;
typedef __typeof__(&Esys_Finalize) ctss_finalize;
typedef __typeof__(&Esys_Free) ctss_free;
typedef __typeof__(&Esys_CreatePrimary) ctss_create_primary;
typedef __typeof__(&Esys_Create) ctss_create;
typedef __typeof__(&Esys_Load) ctss_load;
typedef __typeof__(&Esys_HMAC) ctss_hmac;
typedef __typeof__(&Esys_FlushContext) ctss_flush_context;
typedef __typeof__(&Esys_StartAuthSession) ctss_start_auth_session;
typedef __typeof__(&Esys_TRSess_SetAttributes) ctss_set_session_attributes;
typedef __typeof__(&Esys_TR_GetName) ctss_get_name;
typedef __typeof__(&Tss2_RC_Decode) ctss_decode;
typedef __typeof__(&Tss2_MU_TPM2B_PUBLIC_Marshal) ctss_marshal_public;
typedef __typeof__(&Tss2_MU_TPM2B_PUBLIC_Unmarshal) ctss_unmarshal_public;
typedef __typeof__(&Tss2_MU_TPM2B_PRIVATE_Marshal) ctss_marshal_private;
typedef __typeof__(&Tss2_MU_TPM2B_PRIVATE_Unmarshal) ctss_unmarshal_private;

#endif
