// Gusts of wind as a fixed function of place and time: the same frame has the same gusts, whatever was shown before.
#pragma once

#include "maths.h"

namespace withy_maya {

// How long a gust lasts, s.
constexpr double GUST_SECONDS = 0.5;

// How far the velocity of the air differs from its mean: a smooth function. Over all places and times the root of its mean square is 1,
// no component is beyond 2.2, and the mean is 0. `place` in sizes of a gust, `time` in durations of a gust.
Vec gust(const Vec &place, double time);

}  // namespace withy_maya
