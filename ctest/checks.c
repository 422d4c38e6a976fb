#include "checks.h"
#include <stdio.h>

int checks, failures;

void expect(const char *file, int line, int fact, const char *what) {
    checks++;
    if (!fact) {
        failures++;
        printf("%s:%d: %s (%s)\n", file, line, what, withy_last_error());
    }
}

WithySpan f32(void *data, uint64_t count) {
    WithySpan span = {NULL, 0, 0, WITHY_FORMAT_F32, 0};
    span.data = data;
    span.count = count;
    return span;
}

WithySpan u32(void *data, uint64_t count) {
    WithySpan span = f32(data, count);
    span.format = WITHY_FORMAT_U32;
    return span;
}
