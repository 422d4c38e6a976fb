#include WITHY_HEADER // each by itself: see CMakeLists.txt
static_assert(sizeof(WithyWorld) == 8, "the header is C++11");
