// A timeline of simulated frames that a user may scrub: for C++ hosts. C++17; include beside withy.hpp.
//
//   withy::Timeline timeline;
//   const withy::Machine machine = withy::machine(world, [&](const withy::Inputs &, const withy::Inputs &now, double part) {
//       move_roots(now.values);              // what the host moves, from the numbers of this frame
//       world.step(part / 24.0);             // part of a frame passes
//   });
//   timeline.begin(inputs_at_start, world.save_state());
//   timeline.seek(frame, inputs, machine);   // any frame from 0 on, in any order
//
// Frame 0 is the start. A frame that was seen is restored, or simulated again from the nearest state before it with the inputs that were
// seen; both give the same bits. Where a jump has left frames out, their inputs are interpolated. As soon as such a frame is seen, what
// was made from the interpolation is made again.
#ifndef WITHY_TIMELINE_HPP
#define WITHY_TIMELINE_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace withy {

// All that a step reads, flat. `turns` are where the quaternions are; they are interpolated along the shorter way.
struct Inputs {
    std::vector<double> values;
    std::vector<std::size_t> turns;
};

// What a timeline does with the world, or worlds, that it is for.
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
    // Most memory for states and inputs, bytes; beyond it every second state goes. Default: 512 MiB.
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

// The machine of one withy::World. `step` is Machine::step.
template <class World, class Step>
Machine machine(World &world, Step step) {
    return {[&world] { return world.save_state(); }, [&world](const std::vector<std::uint8_t> &state) { world.restore_state(state); },
            std::move(step)};
}

namespace detail {

constexpr double NEAR_FRAME = 1e-6;

inline bool same(const Inputs &a, const Inputs &b) {
    return a.values.size() == b.values.size() &&
           (a.values.empty() || std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0);
}

inline Inputs between(const Inputs &a, const Inputs &b, double t) {
    if (a.values.size() != b.values.size() || same(a, b)) {
        return b;
    }
    Inputs out = b;
    for (std::size_t i = 0; i < out.values.size(); i++) {
        out.values[i] = a.values[i] + (b.values[i] - a.values[i]) * t;
    }
    for (const std::size_t at : b.turns) {
        double dot = 0, length = 0;
        for (std::size_t i = at; i < at + 4; i++) {
            dot += a.values[i] * b.values[i];
        }
        for (std::size_t i = at; i < at + 4; i++) {
            const double from = dot < 0 ? -a.values[i] : a.values[i];
            out.values[i] = from + (b.values[i] - from) * t;
            length += out.values[i] * out.values[i];
        }
        for (std::size_t i = at; i < at + 4; i++) {
            out.values[i] /= std::sqrt(length);
        }
    }
    return out;
}

}  // namespace detail

inline void Timeline::begin(const Inputs &inputs, std::vector<std::uint8_t> state) {
    inputs_.clear();
    inputs_[0] = std::make_shared<const Inputs>(inputs);
    restart(std::move(state));
}

inline void Timeline::restart(std::vector<std::uint8_t> state) {
    states_.clear();
    states_[0] = {std::move(state), 1};
    interval_ = 1;
    world_ = 0;
}

inline std::size_t Timeline::seen(std::int64_t frame) const {
    return static_cast<std::size_t>(std::distance(inputs_.begin(), inputs_.upper_bound(frame)));
}

inline std::size_t Timeline::bytes() const {
    std::size_t sum = 0;
    for (const auto &[frame, state] : states_) {
        sum += state.data.size();
    }
    std::set<const Inputs *> counted;  // frames with the same inputs share them
    for (const auto &[frame, inputs] : inputs_) {
        if (counted.insert(inputs.get()).second) {
            sum += inputs->values.size() * sizeof(double) + inputs->turns.size() * sizeof(std::size_t);
        }
    }
    return sum;
}

// What goes in at a whole frame. `now` is the frame that was asked for, which may lie between two.
inline Inputs Timeline::at(std::int64_t frame, double now, const Inputs &inputs) const {
    const auto after = inputs_.lower_bound(frame);
    if (after != inputs_.end() && after->first == frame) {
        return *after->second;
    }
    const auto before = std::prev(after);  // there is always frame 0
    const bool known = after != inputs_.end() && static_cast<double>(after->first) <= now;
    const double end = known ? static_cast<double>(after->first) : now;
    const double begin = static_cast<double>(before->first);
    return detail::between(*before->second, known ? *after->second : inputs, (static_cast<double>(frame) - begin) / (end - begin));
}

inline void Timeline::keep(std::int64_t frame, const Machine &machine) {
    if (frame % interval_ != 0) {
        return;
    }
    states_[frame] = {machine.save(), seen(frame)};
    while (states_.size() > 2 && bytes() > budget_) {
        interval_ *= 2;
        for (auto it = states_.begin(); it != states_.end();) {
            it = it->first % interval_ != 0 ? states_.erase(it) : std::next(it);
        }
    }
}

inline void Timeline::go(std::int64_t frame, double now, const Inputs &inputs, const Machine &machine) {
    // The world is at a frame that was asked for, so that no frame before it has been seen since.
    const bool here = world_ >= 0 && world_ <= frame;
    auto best = states_.upper_bound(frame);
    do {
        --best;
    } while (best->first > 0 && best->second.seen != seen(best->first));
    std::int64_t from = best->first;
    if (here && world_ >= from) {
        from = world_;
    } else {
        machine.restore(best->second.data);
    }
    world_ = -1;  // if a step throws, the world is nowhere
    Inputs before = at(from, now, inputs);
    while (from < frame) {
        from++;
        Inputs next = at(from, now, inputs);
        machine.step(before, next, 1);
        before = std::move(next);
        steps_++;
        keep(from, machine);
    }
    world_ = frame;
}

inline void Timeline::seek(double frame, const Inputs &inputs, const Machine &machine) {
    const auto whole = static_cast<std::int64_t>(std::floor(frame + detail::NEAR_FRAME));
    const double part = frame - static_cast<double>(whole);
    if (part >= detail::NEAR_FRAME) {
        go(whole, frame, inputs, machine);
        world_ = -1;
        machine.step(at(whole, frame, inputs), inputs, part);
        steps_++;
        return;
    }
    const auto known = inputs_.find(whole);
    if (known == inputs_.end() || !detail::same(*known->second, inputs)) {
        if (known != inputs_.end()) {
            // The animation was changed. What comes after is made again.
            states_.erase(states_.lower_bound(whole > 0 ? whole : 1), states_.end());
            if (world_ >= whole) {
                world_ = -1;
            }
        }
        const auto neighbour = inputs_.lower_bound(whole);
        const bool repeated = neighbour != inputs_.begin() && detail::same(*std::prev(neighbour)->second, inputs);
        inputs_[whole] = repeated ? std::prev(neighbour)->second : std::make_shared<const Inputs>(inputs);
    }
    try {
        go(whole, frame, inputs, machine);
    } catch (...) {
        // What cannot be simulated is not remembered. Frame 0 is the start, which could.
        if (whole > 0) {
            inputs_.erase(whole);
        }
        throw;
    }
}

}  // namespace withy

#endif
