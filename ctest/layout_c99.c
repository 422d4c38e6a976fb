#include "withy.h"
typedef int withy_header_is_c; /* ISO C forbids an empty file */
