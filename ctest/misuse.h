/* What the parts of misuse.c share: a world with one of everything, and calls that must be refused and change nothing. */
#ifndef MISUSE_H
#define MISUSE_H

#include "checks.h"
#include <withy_bodies.h>
#include <string.h>

extern WithyContext context;
extern WithyWorld world, other_world;
extern WithyRods rods, hair, twigs, other_rods;
extern WithyCollider collider;
extern WithyMesh mesh, other_mesh;
extern WithyAttachment attachment, junction;
/* The world as it must stay. */
extern unsigned char state[16384];
extern uint64_t state_size;

/* For each kind a living handle and some dead ones; built by main. */
#define KINDS 10
extern struct Kind {
    const char *type;
    uint64_t good, stale;
} kinds[KINDS];

extern uint32_t faces[2][3];
extern float corners[4][3];
extern float points[4][3];
extern uint32_t counts[1];

void fail(const char *file, int line, const char *what, int32_t got);
void unchanged(const char *file, int line, const char *what);
/* `got` is `code`, the last error contains `text`, and the world has not changed. */
void refused(const char *file, int line, const char *what, int32_t got, int32_t code, const char *text);

#define ARGUMENT(call, text) refused(__FILE__, __LINE__, #call, (call), WITHY_ERROR_INVALID_ARGUMENT, (text))
#define UNSUPPORTED(call, text) refused(__FILE__, __LINE__, #call, (call), WITHY_ERROR_UNSUPPORTED, (text))
#define HANDLE(call, text) refused(__FILE__, __LINE__, #call, (call), WITHY_ERROR_INVALID_HANDLE, (text))

/* `call` with a handle `h` of `Type` that is null, garbage, of another kind, stale, and of a world that is gone. */
#define BAD_HANDLES(Type, call)                                                               \
    do {                                                                                      \
        Type h;                                                                               \
        size_t i_;                                                                            \
        h.bits = 0;                                                                           \
        HANDLE(call, "null");                                                                 \
        h.bits = UINT64_MAX;                                                                  \
        HANDLE(call, "is no handle");                                                         \
        for (i_ = 0; i_ < KINDS; i_++) {                               \
            if (strcmp(kinds[i_].type, #Type) != 0) {                                         \
                h.bits = kinds[i_].good;                                                      \
                HANDLE(call, "is a handle of ");                                           \
            } else if (kinds[i_].stale != 0) {                                                \
                h.bits = kinds[i_].stale;                                                     \
                HANDLE(call, "destroyed");                                                    \
            }                                                                                 \
        }                                                                                     \
    } while (0)

WithyRodsDef rods_def(void);
WithyColliderDef sphere_def(void);
int32_t create_context(const WithyContextDef *def);
int32_t create_world(const WithyWorldDef *def);
int32_t create_rods(const WithyRodsDef *def);
int32_t create_collider(const WithyColliderDef *def);
int32_t create_mesh(const WithyMeshDef *def);
int32_t create_triangle(const WithyTriangleAttachmentDef *def);
int32_t create_junction(const WithyJunctionDef *def);

/* misuse_worlds.c */
void library(void);
void contexts(void);
void worlds(void);
void states(void);
/* misuse_rods.c */
void spans(void);
void rods_defs(void);
void rods_calls(void);
/* misuse_ties.c */
void colliders(void);
void meshes(void);
void attachments(void);
void orphans(void);

#endif
