#ifndef DROVER_CLIBSSH2_SHIM_H
#define DROVER_CLIBSSH2_SHIM_H

#include <libssh2.h>

// A macro of libssh2 that Swift does not import.
static inline LIBSSH2_CHANNEL *drover_channel_open_session(LIBSSH2_SESSION *session) {
    return libssh2_channel_open_session(session);
}

#endif
