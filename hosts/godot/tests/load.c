/* Loads the extension as an engine does, and asks it to start with an engine that has no functions: it must say no, and not crash.
 *   load libwithy_godot.so */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*Function)(void);
typedef Function (*GetProcAddress)(const char *name);
typedef uint8_t (*Entry)(GetProcAddress get, void *library, void *initialization);

static int asked = 0;

static Function nothing(const char *name) {
    (void)name;
    asked++;
    return NULL;
}

int main(int count, char **arguments) {
    /* Larger than what Godot hands over. */
    static unsigned char initialization[256];
    void *library, *found;
    Entry entry;
    if (count != 2) return 2;
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    found = dlsym(library, "gdext_rust_init");
    if (found == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    *(void **)&entry = found;
    if (entry(nothing, &asked, initialization) != 0) {
        printf("it starts in an engine without functions\n");
        return 1;
    }
    printf("  %s: loads, has its entry, refuses an engine without functions (asked for %d)\n", arguments[1], asked);
    return asked == 0;
}
