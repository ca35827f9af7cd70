#ifndef CDOMAINNAMES_SHIM_H
#define CDOMAINNAMES_SHIM_H

#if !__has_include(<idn2.h>) || !__has_include(<libpsl.h>)
#include "../missing-libraries.h"
#endif
#include <idn2.h>
#include <libpsl.h>

/* The macros that Swift cannot import. Without the star rule, a suffix that no list has is none. */
static const int cdomainnames_listed = PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE;

#endif
