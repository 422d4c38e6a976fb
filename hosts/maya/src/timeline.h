// What a node remembers of its frames, so that the timeline may be scrubbed.
#pragma once

#include <withy_timeline.hpp>

namespace withy_maya {

using withy::Inputs;
using withy::Machine;
using withy::Timeline;

}  // namespace withy_maya
