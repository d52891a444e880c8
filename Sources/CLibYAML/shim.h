#ifndef DROVER_CLIBYAML_SHIM_H
#define DROVER_CLIBYAML_SHIM_H

#include <yaml.h>

#endif
