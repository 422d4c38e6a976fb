// What a node remembers of its frames, so that the timeline may be scrubbed: what went in at each frame, and states of the world.
//
// Frame 0 is the start. A frame that was seen is restored, or simulated again from the nearest state before it with the inputs
// that were seen; both give the same bits. Where a jump has left frames out, their inputs are interpolated. As soon as such a
// frame is seen, what was made from the interpolation is made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace withy_maya {

// All that a step reads, flat. `turns` are where the quaternions are; they are interpolated along the shorter way.
struct Inputs {
    std::vector<double> values;
    std::vector<std::size_t> turns;
};

struct Machine {
    std::function<std::vector<std::uint8_t>()> save;
    std::function<void(const std::vector<std::uint8_t> &)> restore;
    // Brings the world from where it was told to be `before` to where `inputs` say. `part` of a frame passes.
    std::function<void(const Inputs &before, const Inputs &inputs, double part)> step;
};

class Timeline {
public:
    // Forgets everything; the world is at frame 0, with these inputs.
    void begin(const Inputs &inputs, std::vector<std::uint8_t> state);
    // The same, but what was seen stays: for a world that was built anew from the same start.
    void restart(std::vector<std::uint8_t> state);
    // Brings the world to `frame`, not before 0, whose inputs are these.
    void seek(double frame, const Inputs &inputs, const Machine &machine);
    void set_budget(std::size_t bytes) { budget_ = bytes; }

    std::size_t bytes() const;
    std::size_t states() const { return states_.size(); }
    std::size_t steps() const { return steps_; }

private:
    struct State {
        std::vector<std::uint8_t> data;
        std::size_t seen;  // frames up to here that had been seen when it was made
    };
    std::size_t seen(std::int64_t frame) const;
    Inputs at(std::int64_t frame, double now, const Inputs &inputs) const;
    void go(std::int64_t frame, double now, const Inputs &inputs, const Machine &machine);
    void keep(std::int64_t frame, const Machine &machine);

    std::map<std::int64_t, std::shared_ptr<const Inputs>> inputs_;
    std::map<std::int64_t, State> states_;
    std::size_t budget_ = std::size_t{512} << 20;
    std::size_t steps_ = 0;
    std::int64_t interval_ = 1;
    // The frame that the world is at; -1: none that it could go on from.
    std::int64_t world_ = -1;
};

}  // namespace withy_maya
