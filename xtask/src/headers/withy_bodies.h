/* withy @VERSION@: rigid bodies, joints, and what ties rods to them. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: a ball hangs from the world on a joint, half a metre below it.
 *
 *   WithyShapeDef shape; WithyBodyDef body; WithyJointDef joint;
 *   WithyBody ball; WithyJoint pivot;
 *   withy_shape_def_init(&shape);
 *   shape.radius = 0.1;
 *   withy_body_def_init(&body);
 *   body.shapes = &shape, body.shape_count = 1;
 *   withy_body_create(world, &body, &ball);
 *   withy_joint_def_init(&joint);
 *   joint.body_b = ball;
 *   joint.frame_a.position.y = joint.frame_b.position.y = 0.5;
 *   withy_joint_create(&joint, &pivot);
 *   withy_world_step(world, 1.0 / 60.0);
 *   withy_body_get_pose(ball, &body.pose);
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Bodies
 * and joints step on the CPU; in a world on the GPU they meet the rods there (WITHY_BACKEND_GPU).
 */
#ifndef WITHY_BODIES_H
#define WITHY_BODIES_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif
