/* Preloaded: worlds that leave the instruction set to the library get that which every x86-64 processor has.
 * For valgrind 3.19, which does not know all instructions of AVX2. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <withy_expert.h>

int32_t withy_world_create(WithyContext context, const WithyWorldDef *def, WithyWorld *world) {
    int32_t (*create)(WithyContext, const WithyWorldDef *, WithyWorld *);
    void *next = dlsym(RTLD_NEXT, "withy_world_create");
    WithyWorldDef own;
    *(void **)&create = next;
    if (def == NULL) {
        withy_world_def_init(&own);
    } else if (def->struct_size == sizeof own) {
        own = *def;
    } else {
        return create(context, def, world);
    }
    if (own.isa == WITHY_ISA_AUTO) own.isa = WITHY_ISA_SSE2;
    return create(context, &own, world);
}
