/* What the programs that misuse the library share: checks that are counted and go on, and spans. */
#ifndef CHECKS_H
#define CHECKS_H

#include <withy.h>

extern int checks, failures;

/* Counts a check; where it fails, says where and what, with the library's last error. */
void expect(const char *file, int line, int fact, const char *what);
#define EXPECT(fact) expect(__FILE__, __LINE__, (fact), #fact)
#define OK(call) expect(__FILE__, __LINE__, (call) == WITHY_OK, #call)

WithySpan f32(void *data, uint64_t count);
WithySpan u32(void *data, uint64_t count);

#endif
