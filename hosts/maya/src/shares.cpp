#include "shares.h"

namespace withy_maya {

std::vector<bool> simulated(const std::vector<double> &shares, const std::vector<std::uint32_t> &counts) {
    std::vector<bool> out;
    std::size_t at = 0;
    for (const std::uint32_t count : counts) {
        bool any = shares.empty();
        for (std::uint32_t v = 0; v < count && !any; v++) {
            any = shares[at + v] > 0;
        }
        out.push_back(any);
        at += count;
    }
    return out;
}

std::vector<std::uint32_t> pick_counts(const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < counts.size(); i++) {
        if (curves[i]) {
            out.push_back(counts[i]);
        }
    }
    return out;
}

std::vector<Quat> animated_turns(const std::vector<Vec> &start, const std::vector<Vec> &now, const std::vector<std::uint32_t> &counts) {
    std::vector<Quat> turns;
    std::size_t at = 0;
    for (const std::uint32_t count : counts) {
        const Quat turn = turn_of(&start[at], &now[at], count);
        for (std::size_t v = at; v + 1 < at + count; v++) {
            turns.push_back(shortest(rotate(turn, unit(start[v + 1] - start[v])), unit(now[v + 1] - now[v])) * turn);
        }
        at += count;
    }
    return turns;
}

void put_points(const std::vector<Vec> &simulated, const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves,
                const std::vector<double> &shares, std::vector<Vec> &points) {
    std::size_t from = 0, at = 0;
    for (std::size_t i = 0; i < counts.size(); i++) {
        for (std::uint32_t v = 0; v < counts[i]; v++, at++) {
            if (curves[i]) {
                const double share = shares.empty() ? 1 : shares[at];
                points[at] = share == 1 ? simulated[from] : points[at] + (simulated[from] - points[at]) * share;
                from++;
            }
        }
    }
}

void put_turns(const std::vector<Quat> &simulated, const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves,
               const std::vector<double> &shares, std::vector<Quat> &turns) {
    if (shares.empty()) {
        turns = simulated;
        return;
    }
    std::size_t from = 0, at = 0, vertex = 0;
    for (std::size_t i = 0; i < counts.size(); i++) {
        for (std::uint32_t v = 0; v + 1 < counts[i]; v++, at++) {
            if (curves[i]) {
                const Quat &s = simulated[from], &q = turns[at];
                const double share = 0.5 * (shares[vertex + v] + shares[vertex + v + 1]);
                const double mine = s[0] * q[0] + s[1] * q[1] + s[2] * q[2] + s[3] * q[3] < 0 ? -share : share;
                turns[at] = share == 1 ? s
                                       : unit(Quat{q[0] * (1 - share) + s[0] * mine, q[1] * (1 - share) + s[1] * mine,
                                                   q[2] * (1 - share) + s[2] * mine, q[3] * (1 - share) + s[3] * mine});
                from++;
            }
        }
        vertex += counts[i];
    }
}

}  // namespace withy_maya
