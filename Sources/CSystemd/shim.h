#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

#if !__has_include(<systemd/sd-bus.h>)
#include "../missing-libraries.h"
#endif
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#endif
