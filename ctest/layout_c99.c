#include WITHY_HEADER /* each by itself: see CMakeLists.txt */
typedef int withy_header_is_c; /* ISO C forbids an empty file */
