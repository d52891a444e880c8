#ifndef DROVER_CLIBSSH2_SHIM_H
#define DROVER_CLIBSSH2_SHIM_H

#include <libssh2.h>

#endif
