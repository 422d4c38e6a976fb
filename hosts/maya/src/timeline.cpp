#include "timeline.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

namespace withy_maya {

namespace {

constexpr double NEAR = 1e-6;  // frames

bool same(const Inputs &a, const Inputs &b) {
    return a.values.size() == b.values.size() &&
           (a.values.empty() || std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0);
}

Inputs between(const Inputs &a, const Inputs &b, double t) {
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

}  // namespace

void Timeline::begin(const Inputs &inputs, std::vector<std::uint8_t> state) {
    inputs_.clear();
    inputs_[0] = std::make_shared<const Inputs>(inputs);
    restart(std::move(state));
}

void Timeline::restart(std::vector<std::uint8_t> state) {
    states_.clear();
    states_[0] = {std::move(state), 1};
    interval_ = 1;
    world_ = 0;
}

std::size_t Timeline::seen(std::int64_t frame) const {
    return static_cast<std::size_t>(std::distance(inputs_.begin(), inputs_.upper_bound(frame)));
}

std::size_t Timeline::bytes() const {
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
Inputs Timeline::at(std::int64_t frame, double now, const Inputs &inputs) const {
    const auto after = inputs_.lower_bound(frame);
    if (after != inputs_.end() && after->first == frame) {
        return *after->second;
    }
    const auto before = std::prev(after);  // there is always frame 0
    const bool known = after != inputs_.end() && static_cast<double>(after->first) <= now;
    const double end = known ? static_cast<double>(after->first) : now;
    const double begin = static_cast<double>(before->first);
    return between(*before->second, known ? *after->second : inputs, (static_cast<double>(frame) - begin) / (end - begin));
}

void Timeline::keep(std::int64_t frame, const Machine &machine) {
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

void Timeline::go(std::int64_t frame, double now, const Inputs &inputs, const Machine &machine) {
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

void Timeline::seek(double frame, const Inputs &inputs, const Machine &machine) {
    const auto whole = static_cast<std::int64_t>(std::floor(frame + NEAR));
    const double part = frame - static_cast<double>(whole);
    if (part >= NEAR) {
        go(whole, frame, inputs, machine);
        world_ = -1;
        machine.step(at(whole, frame, inputs), inputs, part);
        steps_++;
        return;
    }
    const auto known = inputs_.find(whole);
    if (known == inputs_.end() || !same(*known->second, inputs)) {
        if (known != inputs_.end()) {
            // The animation was changed. What comes after is made again.
            states_.erase(states_.lower_bound(whole > 0 ? whole : 1), states_.end());
            if (world_ >= whole) {
                world_ = -1;
            }
        }
        const auto neighbour = inputs_.lower_bound(whole);
        const bool repeated = neighbour != inputs_.begin() && same(*std::prev(neighbour)->second, inputs);
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

}  // namespace withy_maya
