#include "withy.h"
static_assert(sizeof(WithyWorld) == 8, "the header is C++11");
