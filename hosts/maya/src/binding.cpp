#include "binding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace withy_maya {

namespace {

struct Place {
    double distance;
    std::uint32_t curve;
    double parameter;  // along the curve, in edges
};

Place nearest(const Vec &p, const std::vector<Vec> &line, std::size_t first, std::uint32_t count, std::uint32_t curve) {
    Place best = {std::numeric_limits<double>::infinity(), curve, 0};
    for (std::uint32_t e = 0; e + 1 < count; e++) {
        const Vec &a = line[first + e], d = line[first + e + 1] - a;
        const double square = dot(d, d);
        const double t = square > 0 ? std::clamp(dot(p - a, d) / square, 0.0, 1.0) : 0;
        const double distance = length(p - a - d * t);
        if (distance < best.distance) {
            best.distance = distance;
            best.parameter = e + t;
        }
    }
    return best;
}

}  // namespace

void Binding::bind(const std::vector<Vec> &points, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &base,
                   unsigned curves, double drop) {
    base_ = base;
    ties_.clear();
    first_.assign(1, 0);
    strength_.clear();
    struct Box {
        Vec least, most;
        std::size_t vertex, edge;
    };
    std::vector<Box> boxes;
    std::size_t at = 0;
    for (std::size_t c = 0; c < counts.size(); c++) {
        Box box = {base[at], base[at], at, at - c};
        for (std::size_t v = at; v < at + counts[c]; v++) {
            for (std::size_t i = 0; i < 3; i++) {
                box.least[i] = std::min(box.least[i], base[v][i]);
                box.most[i] = std::max(box.most[i], base[v][i]);
            }
        }
        boxes.push_back(box);
        at += counts[c];
    }
    // One more than have weight: where it takes over, the weight of the last one fades out.
    const std::size_t wanted = curves < counts.size() ? curves + 1 : counts.size();
    std::vector<Place> best;
    for (const Vec &p : points) {
        best.clear();
        for (std::uint32_t c = 0; c < counts.size(); c++) {
            Vec outside;
            for (std::size_t i = 0; i < 3; i++) {
                outside[i] = std::max({boxes[c].least[i] - p[i], p[i] - boxes[c].most[i], 0.0});
            }
            if (best.size() == wanted && length(outside) >= best.back().distance) {
                continue;
            }
            const Place place = nearest(p, base, boxes[c].vertex, counts[c], c);
            if (best.size() < wanted || place.distance < best.back().distance) {
                if (best.size() == wanted) {
                    best.pop_back();
                }
                best.insert(std::upper_bound(best.begin(), best.end(), place, [](const Place &x, const Place &y) { return x.distance < y.distance; }), place);
            }
        }
        double strength = best.empty() ? 0 : 1;
        if (!best.empty() && drop > 0) {
            const double t = std::clamp(best[0].distance / drop, 0.0, 1.0);
            strength = 1 - t * t * (3 - 2 * t);
        }
        strength_.push_back(strength);
        // Inverse squares of the distances, so that they fade out where another curve takes over.
        double sum = 0;
        std::vector<double> share;
        const double outer = wanted > curves ? best.back().distance : 0;
        for (const Place &place : best) {
            double w = 1 / (place.distance * place.distance + 1e-12);
            if (outer > 0) {
                const double fade = 1 - place.distance / outer;
                w *= fade * fade;
            }
            share.push_back(w);
            sum += w;
        }
        for (std::size_t k = 0; k < best.size(); k++) {
            const double part = sum > 0 ? share[k] / sum : 1.0 / static_cast<double>(best.size());
            if (!(part > 0)) {
                continue;
            }
            const Box &box = boxes[best[k].curve];
            const auto edges = static_cast<std::int64_t>(counts[best[k].curve]) - 1;
            // Edge e has its middle at e + 1/2; the spline of an edge reaches one and a half edges to both sides.
            const auto middle = static_cast<std::int64_t>(std::min(std::floor(best[k].parameter), static_cast<double>(edges - 1)));
            const double x = best[k].parameter - static_cast<double>(middle) - 0.5;
            const double weights[3] = {0.5 * (0.5 - x) * (0.5 - x), 0.75 - x * x, 0.5 * (0.5 + x) * (0.5 + x)};
            for (std::int64_t i = 0; i < 3; i++) {
                const std::int64_t e = std::clamp(middle + i - 1, std::int64_t{0}, edges - 1);
                ties_.push_back({static_cast<std::uint32_t>(box.vertex + static_cast<std::size_t>(e)),
                                 static_cast<std::uint32_t>(box.edge + static_cast<std::size_t>(e)), weights[i] * part});
            }
        }
        first_.push_back(ties_.size());
    }
}

Binding::Numbers Binding::numbers() const {
    Numbers n;
    for (const Tie &tie : ties_) {
        n.ties.insert(n.ties.end(), {tie.vertex, tie.edge});
        n.weights.push_back(tie.weight);
    }
    for (const std::size_t first : first_) {
        n.first.push_back(static_cast<std::uint32_t>(first));
    }
    n.strength = strength_;
    return n;
}

bool Binding::restore(const Numbers &n, std::size_t points, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &base) {
    *this = Binding();
    const std::size_t edges = base.size() - counts.size();
    const auto finite = [](double x) { return std::isfinite(x); };
    const bool fits = n.first.size() == points + 1 && n.strength.size() == points && n.ties.size() == 2 * n.weights.size() &&
                      n.first[0] == 0 && n.first[points] == n.weights.size() && std::is_sorted(n.first.begin(), n.first.end()) &&
                      std::all_of(n.weights.begin(), n.weights.end(), finite) && std::all_of(n.strength.begin(), n.strength.end(), finite);
    if (!fits) {
        return false;
    }
    for (std::size_t k = 0; k < n.weights.size(); k++) {
        if (n.ties[2 * k] + std::size_t{1} >= base.size() || n.ties[2 * k + 1] >= edges) {
            *this = Binding();
            return false;
        }
        ties_.push_back({n.ties[2 * k], n.ties[2 * k + 1], n.weights[k]});
    }
    first_.assign(n.first.begin(), n.first.end());
    strength_ = n.strength;
    base_ = base;
    return true;
}

void Binding::deform(const std::vector<Vec> &points, const std::vector<Vec> &now, const std::vector<Quat> &turns,
                     std::vector<Vec> &out) const {
    out.resize(points.size());
    for (std::size_t i = 0; i < points.size(); i++) {
        Vec sum = {0, 0, 0};
        for (std::size_t k = first_[i]; k < first_[i + 1]; k++) {
            const Tie &tie = ties_[k];
            const Vec before = (base_[tie.vertex] + base_[tie.vertex + 1]) * 0.5, after = (now[tie.vertex] + now[tie.vertex + 1]) * 0.5;
            sum = sum + (after + rotate(turns[tie.edge], points[i] - before)) * tie.weight;
        }
        out[i] = points[i] + (sum - points[i]) * strength_[i];
    }
}

std::vector<Quat> turns_of(const std::vector<std::uint32_t> &counts, const std::vector<Vec> &base, const std::vector<Vec> &now) {
    std::vector<Quat> turns;
    std::size_t at = 0;
    for (const std::uint32_t count : counts) {
        Quat turn = turn_of(&base[at], &now[at], count);
        for (std::size_t e = at; e + 1 < at + count; e++) {
            const Vec from = unit(rotate(turn, base[e + 1] - base[e])), to = unit(now[e + 1] - now[e]);
            if (length(from) > 0.5 && length(to) > 0.5) {
                turn = unit(shortest(from, to) * turn);
            }
            turns.push_back(turn);
        }
        at += count;
    }
    return turns;
}

}  // namespace withy_maya
